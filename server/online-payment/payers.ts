import { and, eq, or, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { onlinePayers } from './tables.ts'

export type Payer = typeof onlinePayers.$inferSelect

/** The guardian who pays for a student, or else the student. 404 for an unknown student. */
export async function findOrCreatePayer(tx: Tx, studentId: string): Promise<Payer> {
  await requireStudent(tx, studentId)
  const payers = await findOrCreatePayers(tx, [studentId])
  return firstRow([...payers.values()])
}

/** By the id of the student. The students must exist. */
export async function findOrCreatePayers(
  tx: Tx,
  studentIds: string[],
): Promise<Map<string, Payer>> {
  const payingGuardians = await tx
    .select(pick(guardianships, 'student_id', 'guardian_id'))
    .from(guardianships)
    .where(
      and(
        equalsAny(guardianships.student_id, studentIds),
        eq(guardianships.pays, true),
        isActiveLink,
      ),
    )
  const guardianOf = new Map(
    payingGuardians.map(({ student_id, guardian_id }) => [student_id, guardian_id]),
  )
  const people = studentIds.map((studentId) => {
    const guardian_id = guardianOf.get(studentId) ?? null
    return { guardian_id, student_id: guardian_id === null ? studentId : null }
  })
  await inChunks(people, (chunk) => tx.insert(onlinePayers).values(chunk).onConflictDoNothing())
  const payers = await tx
    .select()
    .from(onlinePayers)
    .where(
      or(
        equalsAny(onlinePayers.guardian_id, [...guardianOf.values()]),
        equalsAny(onlinePayers.student_id, studentIds),
      ),
    )
  const payerByPerson = new Map(
    payers.map((payer) => [payer.guardian_id ?? payer.student_id ?? '', payer]),
  )
  return new Map(
    studentIds.flatMap((studentId) => {
      const payer = payerByPerson.get(guardianOf.get(studentId) ?? studentId)
      return payer ? [[studentId, payer] as const] : []
    }),
  )
}

/** Two presses of a payer wait for each other. Null if the payer was deleted. */
export async function lockPayer(tx: Tx, payerId: string): Promise<Payer | null> {
  const [payer] = await tx
    .select()
    .from(onlinePayers)
    .where(eq(onlinePayers.id, payerId))
    .for('no key update')
  return payer ?? null
}

export async function readPayer(tx: Tx, payerId: string): Promise<Payer | null> {
  const [payer] = await tx.select().from(onlinePayers).where(eq(onlinePayers.id, payerId))
  return payer ?? null
}

/** Everybody for whom the payer pays today, former students included. */
export async function studentsOfPayer(
  tx: Tx,
  { guardian_id, student_id }: Payer,
): Promise<string[]> {
  if (student_id !== null) return [student_id]
  const rows = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(
      and(
        eq(guardianships.guardian_id, guardian_id ?? ''),
        eq(guardianships.pays, true),
        isActiveLink,
      ),
    )
  return pluck(rows, 'id')
}

export async function readPayerContact(
  tx: Tx,
  { guardian_id, student_id }: Payer,
): Promise<{ name: string; email: string | null }> {
  const { rows } = await tx.execute<{ name: string; email: string | null }>(sql`
    select ${guardians.name}, ${guardians.email} from ${guardians}
    where ${guardians.id} = ${guardian_id}
    union all
    select ${students.name}, ${students.email} from ${students}
    where ${students.id} = ${student_id}`)
  return firstRow(rows)
}
