import { eq, or } from 'drizzle-orm'
import { deleteAccount } from '../accounts/accounts.ts'
import { isOnStaff } from '../accounts/staff-caller.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { students } from '../students/tables.ts'
import { lockStudent } from '../guardians/guardianships.ts'
import { reopenLoginsOfGuardian } from '../guardians/logins.ts'
import { guardianships, loginInvitations } from '../guardians/tables.ts'

const WORKS_HERE = 'They work here with this login. Remove them from the staff first.'

/** Deletes the login, but not the student. Throws 409 if the student has no login or is on the
 *  staff. */
export async function endLoginOfStudent(
  tx: Tx,
  sessions: Pick<Sessions, 'endSessionsOfAccount'>,
  caller: DojoCaller,
  id: string,
): Promise<void> {
  const { email } = await lockStudent(tx, id)
  if (email === null) throw new Refusal(409, 'This student has no login')
  if (await isOnStaff(tx, id)) throw new Refusal(409, WORKS_HERE)
  await tx
    .delete(loginInvitations)
    .where(or(eq(loginInvitations.student_id, id), eq(loginInvitations.guardian_id, id)))
  await tx
    .update(guardianships)
    .set({ closes_log_in: false, log_in_closed_at: null })
    .where(eq(guardianships.student_id, id))
  await reopenLoginsOfGuardian(tx, id)
  // Deleting the account would delete the student that refers to it.
  await tx.update(students).set({ email: null }).where(eq(students.id, id))
  await deleteAccount(tx, id)
  await renewPhotoAddresses(tx, [id])
  await sessions.endSessionsOfAccount(tx, id)
  await auditAction(tx, caller, 'student log-in ended', { subject_id: id })
}
