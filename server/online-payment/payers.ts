import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { onlinePayers } from './tables.ts'

export type Payer = typeof onlinePayers.$inferSelect

/** The guardian who pays for a student, or else the student. 404 for an unknown student. */
export async function findOrCreatePayer(tx: Tx, studentId: string): Promise<Payer> {
  await requireStudent(tx, studentId)
  const [link] = await tx
    .select({ guardian_id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(eq(guardianships.student_id, studentId), eq(guardianships.pays, true), isActiveLink))
  const person = link
    ? { guardian_id: link.guardian_id, student_id: null }
    : { guardian_id: null, student_id: studentId }
  await tx.insert(onlinePayers).values(person).onConflictDoNothing()
  const isPerson = link
    ? eq(onlinePayers.guardian_id, link.guardian_id)
    : eq(onlinePayers.student_id, studentId)
  return firstRow(await tx.select().from(onlinePayers).where(isPerson))
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
