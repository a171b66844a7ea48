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

/** The students whose page, or with `fees` whose fees, the guardian sees. */
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

export const studentsSeenBy = async (tx: Tx, { id, role }: Person): Promise<string[]> => [
  ...(role === 'student' ? [id] : []),
  ...(await studentsOfGuardian(tx, id)),
]

/** 404 if the caller, who is no instructor, does not see the student. */
export async function requireSeen(tx: Tx, caller: Person, studentId: string): Promise<void> {
  if (!(await studentsSeenBy(tx, caller)).includes(studentId)) throw notFound('Student')
}

type Seeing = { account_id: string; student_id: string }

/** The accounts of students and of guardians who see them; with `fees`, who see their fees. */
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
      where ${guardianships.student_id} = any(${idList}) and ${guardianships.ended_at} is null
        and ${guardianships.sees} and ${guardians.account_id} is not null ${seesFees}`)
  return rows
}

/** One message per account, which names only the students whom that account sees. */
export async function wordsForReaders(
  tx: Tx,
  namedStudents: (TextSubject & { id: string })[],
  template: string,
  options: { fees: boolean },
): Promise<Required<AccountMessage>[]> {
  const seeing = await accountsSeeing(tx, pluck(namedStudents, 'id'), options)
  const accountsOf = Map.groupBy(seeing, ({ student_id }) => student_id)
  const studentsOf = new Map<string, typeof namedStudents>()
  for (const student of namedStudents)
    for (const { account_id } of accountsOf.get(student.id) ?? []) {
      const visibleStudents = studentsOf.get(account_id) ?? []
      if (!visibleStudents.includes(student))
        studentsOf.set(account_id, [...visibleStudents, student])
    }
  return [...studentsOf].map(([account_id, visibleStudents]) => ({
    account_id,
    message: fillTemplate(template, visibleStudents),
    about: visibleStudents,
  }))
}
