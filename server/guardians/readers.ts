import { type TextSubject, fillTemplate } from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import { hasLeft } from '../accounts/child-logins.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { pluck } from '../lib/rows.ts'
import { notFound } from '../lib/refusal.ts'
import type { AccountMessage } from '../notifications/notify.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { guardians, guardianships } from './tables.ts'

type Person = Pick<Caller, 'id' | 'role'>

/** Finds the current students whose page the guardian may see, or whose fees if `fees` is true.
 *  With `withFormer`, also those who left. */
export async function studentsOfGuardian(
  tx: Tx,
  guardianId: string,
  { fees = false, withFormer = false } = {},
): Promise<string[]> {
  const seesFees = fees ? sql`and l.sees_fees` : sql``
  const isListed = withFormer ? sql`` : sql`and s.left_on is null`
  const { rows } = await tx.execute<{
    id: string
  }>(sql`select l.student_id as id from ${guardianships} l
    join ${students} s on s.id = l.student_id ${isListed}
    where l.guardian_id = ${guardianId} and l.sees and l.ended_at is null ${seesFees}`)
  return pluck(rows, 'id')
}

/** Nobody but instructors sees a student who left. */
export const findVisibleStudents = async (tx: Tx, { id, role }: Person): Promise<string[]> => [
  ...(role === 'student' && !(await hasLeft(tx, id)) ? [id] : []),
  ...(await studentsOfGuardian(tx, id)),
]

/** 404 if the caller may not see the student. Don't call it for instructors, who see everyone. */
export async function requireVisible(tx: Tx, caller: Person, studentId: string): Promise<void> {
  if (!(await findVisibleStudents(tx, caller)).includes(studentId)) throw notFound('Student')
}

type ReaderAccount = { account_id: string; student_id: string }

/** Includes the guardians who may see the students, or their fees if `fees` is true. */
export async function findReaderAccounts(
  tx: Tx,
  studentIds: string[],
  { fees = false } = {},
): Promise<ReaderAccount[]> {
  const idList = sql.param(studentIds)
  const seesFees = fees ? sql`and ${guardianships.sees_fees}` : sql``
  const { rows } = await tx.execute<ReaderAccount>(sql`
    select ${students.id} as account_id, ${students.id} as student_id from ${students}
      where ${students.id} = any(${idList}) and ${students.email} is not null
        and ${isCurrentStudent}
    union all
    select ${guardians.account_id}, ${guardianships.student_id} from ${guardianships}
      join ${guardians} on ${guardians.id} = ${guardianships.guardian_id}
      join ${students} on ${students.id} = ${guardianships.student_id} and ${isCurrentStudent}
      where ${guardianships.student_id} = any(${idList}) and ${guardianships.ended_at} is null
        and ${guardianships.sees} and ${guardians.account_id} is not null ${seesFees}`)
  return rows
}

/** The message names only the students whom the account may see. */
export async function messagesForReaders(
  tx: Tx,
  namedStudents: (TextSubject & { id: string })[],
  template: string,
  options: { fees: boolean },
): Promise<Required<AccountMessage>[]> {
  const readerAccounts = await findReaderAccounts(tx, pluck(namedStudents, 'id'), options)
  const accountsByStudent = Map.groupBy(readerAccounts, ({ student_id }) => student_id)
  const studentsByAccount = new Map<string, typeof namedStudents>()
  for (const student of namedStudents)
    for (const { account_id } of accountsByStudent.get(student.id) ?? []) {
      const visibleStudents = studentsByAccount.get(account_id) ?? []
      if (!visibleStudents.includes(student))
        studentsByAccount.set(account_id, [...visibleStudents, student])
    }
  return [...studentsByAccount].map(([account_id, visibleStudents]) => ({
    account_id,
    message: fillTemplate(template, visibleStudents),
    about: visibleStudents,
  }))
}
