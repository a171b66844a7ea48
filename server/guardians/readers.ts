import { type MentionedStudent, fillTemplate } from '@tatami/contract/texting/message-types'
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

/** Finds the students whom the guardian may see. `fees` selects only students whose fees the
 *  guardian may see, and `withFormer` adds former students. */
export async function findStudentsOfGuardian(
  tx: Tx,
  guardianId: string,
  { fees = false, withFormer = false } = {},
): Promise<string[]> {
  const feesCondition = fees ? sql`and link.sees_fees` : sql``
  const currentCondition = withFormer ? sql`` : sql`and student.left_on is null`
  const { rows } = await tx.execute<{
    id: string
  }>(sql`select link.student_id as id from ${guardianships} link
    join ${students} student on student.id = link.student_id ${currentCondition}
    where link.guardian_id = ${guardianId} and link.sees and link.ended_at is null
      ${feesCondition}`)
  return pluck(rows, 'id')
}

/** Finds the students whom a student or guardian may see. Only staff see former students. */
export const findVisibleStudents = async (tx: Tx, { id, role }: Person): Promise<string[]> => [
  ...(role === 'student' && !(await hasLeft(tx, id)) ? [id] : []),
  ...(await findStudentsOfGuardian(tx, id)),
]

/** Throws 404 if the caller may not see the student. Do not use it for staff, who see everyone. */
export async function requireVisibleStudent(
  tx: Tx,
  caller: Person,
  studentId: string,
): Promise<void> {
  if (!(await findVisibleStudents(tx, caller)).includes(studentId)) throw notFound('Student')
}

type ReaderAccount = { account_id: string; student_id: string }

/** Finds the accounts of the students and of the guardians who may see them. `fees` selects only
 *  guardians who may see the fees. */
export async function findReaderAccounts(
  tx: Tx,
  studentIds: string[],
  { fees = false } = {},
): Promise<ReaderAccount[]> {
  const idList = sql.param(studentIds)
  const feesCondition = fees ? sql`and ${guardianships.sees_fees}` : sql``
  const { rows } = await tx.execute<ReaderAccount>(sql`
    select ${students.id} as account_id, ${students.id} as student_id from ${students}
      where ${students.id} = any(${idList}) and ${students.email} is not null
        and ${isCurrentStudent}
    union all
    select ${guardians.account_id}, ${guardianships.student_id} from ${guardianships}
      join ${guardians} on ${guardians.id} = ${guardianships.guardian_id}
      join ${students} on ${students.id} = ${guardianships.student_id} and ${isCurrentStudent}
      where ${guardianships.student_id} = any(${idList}) and ${guardianships.ended_at} is null
        and ${guardianships.sees} and ${guardians.account_id} is not null ${feesCondition}`)
  return rows
}

/** Composes a message for each account. It names only the students whom the recipient may see. */
export async function composeMessagesForReaders(
  tx: Tx,
  namedStudents: (MentionedStudent & { id: string })[],
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
