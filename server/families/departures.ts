import { and, eq, isNull, sql } from 'drizzle-orm'
import { deleteAccount } from '../accounts/accounts.ts'
import { isOnStaff } from '../accounts/staff-caller.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

/** Finds guardians who have no other student, and neither train nor teach here. */
export async function findGuardiansWithoutOtherStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.execute<{
    id: string
    name: string
  }>(sql`select g.id, g.name from ${guardianships} gs
    join ${guardians} g on g.id = gs.guardian_id
    where gs.student_id = ${studentId}
      and not exists (
        select from ${guardianships} o
        where o.guardian_id = g.id and o.student_id <> ${studentId} and o.ended_at is null)
      and not exists (select from ${students} s where s.id = g.id)
      and not exists (select from ${instructors} i where i.id = g.id)
    order by g.name, g.id`)
  return rows
}

/** Until the commit, no other request can link these guardians to more students. */
export async function lockGuardiansWithoutOtherStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string }[]> {
  await tx.execute(sql`
    select from ${guardians} g
    where id in (select guardian_id from ${guardianships} where student_id = ${studentId})
    order by id for no key update`)
  return findGuardiansWithoutOtherStudents(tx, studentId)
}

/** Finds guardians with a login who could see no students if this student left. */
export async function findGuardiansWithoutOtherCurrentStudents(
  tx: Tx,
  studentId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.execute<{ id: string; name: string }>(sql`
    select g.id, g.name from ${guardianships} gs
    join ${guardians} g on g.id = gs.guardian_id and g.account_id is not null
    where gs.student_id = ${studentId} and gs.ended_at is null and gs.sees
      and not exists (
        select from ${guardianships} o join ${students} s on s.id = o.student_id
        where o.guardian_id = g.id and o.student_id <> ${studentId} and o.ended_at is null
          and o.sees and s.left_on is null)
      and not exists (select from ${students} s where s.id = g.id and s.left_on is null)
      and not exists (select from ${instructors} i where i.id = g.id)
    order by g.name, g.id`)
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

/** Returns false if the student is not a guardian, because then the login does not change. */
export async function changeLoginToGuardian(tx: Tx, id: string): Promise<boolean> {
  if (!(await isGuardian(tx, id))) return false
  await tx
    .update(accounts)
    .set({ role: 'guardian' })
    .where(and(eq(accounts.id, id), eq(accounts.role, 'student')))
  return true
}

/** Undoes `changeLoginToGuardian`. Returns false if the login is not a guardian's. */
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
