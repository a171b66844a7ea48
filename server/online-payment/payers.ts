import { and, eq, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { onlinePayers } from './tables.ts'

export type Payer = typeof onlinePayers.$inferSelect
/** One of both is set. Somebody who trains and is a guardian has the same id as both. */
export type PayerPerson = Pick<Payer, 'guardian_id' | 'student_id'>

export const personId = ({ guardian_id, student_id }: PayerPerson): string =>
  guardian_id ?? student_id ?? ''

/** The same for `online_payers`, in SQL. */
export const payerPersonId = sql`coalesce(${onlinePayers.guardian_id}, ${onlinePayers.student_id})`

const isPayingLink = and(eq(guardianships.pays, true), isActiveLink)

/** Who pays for a student who has no guardian that does: the student, who may also pay for others
 *  as their guardian. */
const personOfStudent = async (tx: Tx, studentId: string): Promise<PayerPerson> =>
  (await tx.$count(guardianships, and(eq(guardianships.guardian_id, studentId), isPayingLink))) > 0
    ? { guardian_id: studentId, student_id: null }
    : { guardian_id: null, student_id: studentId }

/** Whose bills the owner of a login pays. Null if they pay for nobody. */
export async function findPayerPerson(tx: Tx, accountId: string): Promise<PayerPerson | null> {
  const person = await personOfStudent(tx, accountId)
  if (person.guardian_id !== null) return person
  return (await paysForThemselves(tx, accountId)) ? person : null
}

const paysForThemselves = async (tx: Tx, studentId: string): Promise<boolean> =>
  (await tx.$count(students, eq(students.id, studentId))) > 0 &&
  (await tx.$count(guardianships, and(eq(guardianships.student_id, studentId), isPayingLink))) === 0

export const findPayer = (tx: Tx, person: PayerPerson): Promise<Payer | null> =>
  findPayerById(tx, personId(person))

/** `id` is that of the guardian or student. */
export async function findPayerById(tx: Tx, id: string): Promise<Payer | null> {
  const [payer] = await tx.select().from(onlinePayers).where(eq(payerPersonId, id))
  return payer ?? null
}

export async function findOrInsertPayer(tx: Tx, person: PayerPerson): Promise<Payer> {
  await tx.insert(onlinePayers).values(person).onConflictDoNothing()
  return firstRow(
    await tx
      .select()
      .from(onlinePayers)
      .where(eq(payerPersonId, personId(person))),
  )
}

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
  const guardianOf = await findPayingGuardians(tx, studentIds)
  const people = studentIds.map((studentId) => {
    const guardian_id = guardianOf.get(studentId) ?? null
    return { guardian_id, student_id: guardian_id === null ? studentId : null }
  })
  await inChunks(people, (chunk) => tx.insert(onlinePayers).values(chunk).onConflictDoNothing())
  return selectPayers(tx, studentIds, guardianOf)
}

/** By the id of the student. Leaves out students whose payer has had nothing to do with online
 *  payment yet. */
export const findPayers = async (tx: Tx, studentIds: string[]): Promise<Map<string, Payer>> =>
  selectPayers(tx, studentIds, await findPayingGuardians(tx, studentIds))

/** By the id of the student. Leaves out students who pay for themselves. */
async function findPayingGuardians(tx: Tx, studentIds: string[]): Promise<Map<string, string>> {
  const payingGuardians = await tx
    .select(pick(guardianships, 'student_id', 'guardian_id'))
    .from(guardianships)
    .where(and(equalsAny(guardianships.student_id, studentIds), isPayingLink))
  // Somebody who trains and pays for others is one payer, as their guardian.
  const payingStudents = await tx
    .selectDistinct(pick(guardianships, 'guardian_id'))
    .from(guardianships)
    .where(and(equalsAny(guardianships.guardian_id, studentIds), isPayingLink))
  return new Map([
    ...payingStudents.map(({ guardian_id }) => [guardian_id, guardian_id] as const),
    ...payingGuardians.map(({ student_id, guardian_id }) => [student_id, guardian_id] as const),
  ])
}

async function selectPayers(
  tx: Tx,
  studentIds: string[],
  guardianOf: ReadonlyMap<string, string>,
): Promise<Map<string, Payer>> {
  const payers = await tx
    .select()
    .from(onlinePayers)
    .where(equalsAny(payerPersonId, [...guardianOf.values(), ...studentIds]))
  const payerByPerson = new Map(payers.map((payer) => [personId(payer), payer]))
  return new Map(
    studentIds.flatMap((studentId) => {
      const payer = payerByPerson.get(guardianOf.get(studentId) ?? studentId)
      return payer ? [[studentId, payer] as const] : []
    }),
  )
}

/** The guardian who pays for a student, or else the student. */
export async function payerPersonOf(tx: Tx, studentId: string): Promise<PayerPerson> {
  const [link] = await tx
    .select({ guardian_id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(eq(guardianships.student_id, studentId), isPayingLink))
  return link ? { guardian_id: link.guardian_id, student_id: null } : personOfStudent(tx, studentId)
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
export async function studentsOfPayer(tx: Tx, person: PayerPerson): Promise<string[]> {
  const id = personId(person)
  const rows = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, id), isPayingLink))
  const ids = pluck(rows, 'id')
  return (await paysForThemselves(tx, id)) ? [...ids, id] : ids
}

/** The id of each student whom one of the payers pays for → the id of that payer. */
export async function findStudentsOfPayers(
  tx: Tx,
  payerIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await tx.execute<{ student_id: string; payer_id: string }>(sql`
    select l.student_id, y.id as payer_id
    from ${onlinePayers} y
    join ${guardianships} l on l.guardian_id = coalesce(y.guardian_id, y.student_id)
      and l.pays and l.ended_at is null
    where y.id = any(${sql.param(payerIds)})
    union all
    select s.id, y.id
    from ${onlinePayers} y
    join ${students} s on s.id = coalesce(y.guardian_id, y.student_id)
    where y.id = any(${sql.param(payerIds)}) and not exists (
      select from ${guardianships} l
      where l.student_id = s.id and l.pays and l.ended_at is null)`)
  return new Map(rows.map(({ student_id, payer_id }) => [student_id, payer_id]))
}

export type PayerContact = {
  name: string
  email: string | null
  /** As it was typed. */
  phone: string | null
  /** Null without a login. */
  account_id: string | null
}

export async function readPayerContact(tx: Tx, person: PayerPerson): Promise<PayerContact> {
  const { rows } = await tx.execute<PayerContact>(sql`
    select coalesce(g.name, s.name) as name, coalesce(g.email, s.email) as email,
      coalesce(g.phone, s.phone_number) as phone,
      coalesce(g.account_id, case when s.email is not null then s.id end) as account_id
    from (select ${personId(person)}::uuid as id) p
    left join ${guardians} g on g.id = p.id
    left join ${students} s on s.id = p.id`)
  return firstRow(rows)
}
