import { and, eq, isNull, sql } from 'drizzle-orm'
import { deleteAccount } from '../accounts/accounts.ts'
import { isOnStaff } from '../accounts/staff-caller.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

/** Finds guardians of the student who have no other student, and do not train or teach here. */
export async function findGuardiansWithoutOtherStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.execute<{
    id: string
    name: string
  }>(sql`select guardian.id, guardian.name from ${guardianships} link
    join ${guardians} guardian on guardian.id = link.guardian_id
    where link.student_id = ${studentId}
      and not exists (
        select from ${guardianships} other_link
        where other_link.guardian_id = guardian.id
          and other_link.student_id <> ${studentId} and other_link.ended_at is null)
      and not exists (select from ${students} student where student.id = guardian.id)
      and not exists (select from ${instructors} instructor where instructor.id = guardian.id)
    order by guardian.name, guardian.id`)
  return rows
}

/** The lock keeps other requests from linking these guardians to more students. */
export async function lockGuardiansWithoutOtherStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string }[]> {
  await tx.execute(sql`
    select from ${guardians}
    where id in (select guardian_id from ${guardianships} where student_id = ${studentId})
    order by id for no key update`)
  return findGuardiansWithoutOtherStudents(tx, studentId)
}

/** Finds guardians with a login who would no longer see any student if this student left. */
export async function findGuardiansWithoutOtherCurrentStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.execute<{ id: string; name: string }>(sql`
    select guardian.id, guardian.name from ${guardianships} link
    join ${guardians} guardian
      on guardian.id = link.guardian_id and guardian.account_id is not null
    where link.student_id = ${studentId} and link.ended_at is null and link.sees
      and not exists (
        select from ${guardianships} other_link
        join ${students} student on student.id = other_link.student_id
        where other_link.guardian_id = guardian.id and other_link.student_id <> ${studentId}
          and other_link.ended_at is null and other_link.sees and student.left_on is null)
      and not exists (
        select from ${students} student
        where student.id = guardian.id and student.left_on is null)
      and not exists (select from ${instructors} instructor where instructor.id = guardian.id)
    order by guardian.name, guardian.id`)
  return rows
}

/** Deletes the login of a student. Guardians and staff keep theirs. */
export async function closeAccountOfStudent(tx: Tx, id: string): Promise<void> {
  if ((await changeLoginToGuardian(tx, id)) || (await isOnStaff(tx, id))) return
  await tx.delete(guardians).where(eq(guardians.id, id))
  await deleteAccount(tx, id)
}

export const isGuardian = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(
    guardianships,
    and(eq(guardianships.guardian_id, id), isNull(guardianships.ended_at)),
  )) > 0

/** Returns false, without changing the login, if the student is not a guardian. */
export async function changeLoginToGuardian(tx: Tx, id: string): Promise<boolean> {
  if (!(await isGuardian(tx, id))) return false
  await tx
    .update(accounts)
    .set({ role: 'guardian' })
    .where(and(eq(accounts.id, id), eq(accounts.role, 'student')))
  return true
}

/** Undoes `changeLoginToGuardian`. Returns false if the login does not belong to a guardian. */
export async function changeLoginToStudent(tx: Tx, id: string): Promise<boolean> {
  const [account] = await tx
    .update(accounts)
    .set({ role: 'student' })
    .where(and(eq(accounts.id, id), eq(accounts.role, 'guardian')))
    .returning({ email: accounts.email })
  if (!account) return false
  // A parent who got a login after leaving has no email as a student yet.
  await tx.update(students).set({ email: account.email }).where(eq(students.id, id))
  return true
}
