import { eq, sql } from 'drizzle-orm'
import { deleteAccount } from '../accounts/accounts.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

/** Finds the guardians whose only student is this one, and who neither train nor teach here. */
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

/** Until the commit, no other request can link these guardians to another student. */
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

/** Deletes the login of a student. A student who is also a guardian keeps the login. */
export async function closeAccountOfStudent(tx: Tx, id: string): Promise<void> {
  const links = await tx.$count(
    guardianships,
    sql`${guardianships.guardian_id} = ${id} and ${guardianships.ended_at} is null`,
  )
  if (links > 0) {
    await tx.update(accounts).set({ role: 'guardian' }).where(eq(accounts.id, id))
    return
  }
  await tx.delete(guardians).where(eq(guardians.id, id))
  await deleteAccount(tx, id)
}
