import { type TextSubject, fillTemplate } from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { pluck } from '../lib/rows.ts'
import { notFound } from '../lib/refusal.ts'
import type { AccountMessage } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { guardians, guardianships } from './tables.ts'

type Person = Pick<Caller, 'id' | 'role'>

/** The students whom a guardian sees, or whose fees they see: those of live links with the right. Nobody for somebody who is no guardian. */
export async function studentsOfGuardian(
  tx: Tx,
  guardianId: string,
  { fees = false } = {},
): Promise<string[]> {
  const seesFees = fees ? sql`and sees_fees` : sql``
  const { rows } = await tx.execute<{
    id: string
  }>(sql`select student_id as id from ${guardianships}
    where guardian_id = ${guardianId} and sees and ended_at is null ${seesFees}`)
  return pluck(rows, 'id')
}

/** The students whose records somebody may read who is no instructor: themselves, and whom they see as a guardian. */
export const studentsSeenBy = async (tx: Tx, { id, role }: Person): Promise<string[]> => [
  ...(role === 'student' ? [id] : []),
  ...(await studentsOfGuardian(tx, id)),
]

/** Refuses with 404 a student whom the caller, no instructor, does not see: another dojo's, another family's, or nobody. */
export async function requireSeen(tx: Tx, caller: Person, studentId: string): Promise<void> {
  if (!(await studentsSeenBy(tx, caller)).includes(studentId)) throw notFound('Student')
}

type Seeing = { account_id: string; student_id: string }

/** The accounts that are told of what concerns these students, each student's own and those of guardians who see them, or, for what is
 *  about fees, who see those; a row for each account and student. */
export async function accountsSeeing(
  tx: Tx,
  studentIds: string[],
  { fees = false } = {},
): Promise<Seeing[]> {
  const idList = sql.param(studentIds)
  const seesFees = fees ? sql`and ${guardianships.sees_fees}` : sql``
  const { rows } = await tx.execute<Seeing>(sql`
    select ${students.id} as account_id, ${students.id} as student_id from ${students}
      where ${students.id} = any(${idList}) and ${students.email} is not null
    union all
    select ${guardians.account_id}, ${guardianships.student_id} from ${guardianships}
      join ${guardians} on ${guardians.id} = ${guardianships.guardian_id}
      where ${guardianships.student_id} = any(${idList}) and ${guardianships.sees} and ${guardianships.ended_at} is null
        and ${guardians.account_id} is not null ${seesFees}`)
  return rows
}

/** The same words about these students for every account that sees them, once for each: {name} becomes the first names of those whom it
 *  sees, in the order given, and {amount} what is to pay for them where their amounts are given. */
export async function wordsForReaders(
  tx: Tx,
  namedStudents: (TextSubject & { id: string })[],
  template: string,
  options: { fees: boolean },
): Promise<Required<AccountMessage>[]> {
  const seeing = await accountsSeeing(tx, pluck(namedStudents, 'id'), options)
  // By their places: looking for each account through all students takes seconds where there are thousands of both.
  const placeOf = new Map(namedStudents.map(({ id }, place) => [id, place]))
  const seenBy = Map.groupBy(seeing, ({ account_id }) => account_id)
  return [...seenBy].map(([account_id, rows]) => {
    const places = [...new Set(rows.map(({ student_id }) => placeOf.get(student_id)!))].toSorted(
      (first, second) => first - second,
    )
    const visibleStudents = places.map((place) => namedStudents[place]!)
    return { account_id, message: fillTemplate(template, visibleStudents), about: visibleStudents }
  })
}
