import type { JoinForm } from '@tatami/contract/profile'
import type { SignedInUser } from '@tatami/contract/students'
import { createAccount, requireActiveDojo } from '../accounts/accounts.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { openSession } from '../accounts/sessions.ts'
import type { Dojo } from '../dojos/dojos.ts'
import { dojoByInviteCode } from '../dojos/invitation.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { userOf } from './profile.ts'

/** Creates a signed-in trial student of the inviting dojo, and notifies its instructors, who complete the profile. */
export async function joinByInvitation(
  db: Database,
  { name, email, password, invite_code }: JoinForm,
  address: string,
): Promise<{ token: string; user: SignedInUser }> {
  const dojo = await db.withoutDojo((tx) => dojoOpenToJoin(tx, invite_code))
  const password_hash = await hashPassword(password, requesterByAddress(address))
  return db.inDojo(dojo.id, async (tx) => {
    // During hashing the dojo may have been deactivated or the invitation replaced.
    await dojoOpenToJoin(tx, invite_code)
    const id = newId()
    await createAccount(tx, { id, email, password_hash, role: 'student', dojo_id: dojo.id, is_active: true })
    await tx.insert(students).values({ id, name, email, is_trial: true, gender: null })
    await notifyInstructors(tx, dojo.id, {
      title: 'New student joined',
      message: `${name} joined by invitation. Please complete their profile.`,
      sender_name: name,
      student_id: id,
    })
    return { token: await openSession(tx, id), user: await userOf(tx, { id, role: 'student', dojoId: dojo.id }) }
  })
}

/** The dojo of an invitation; 400 for an unknown invitation, 403 while the dojo is not active. */
export async function dojoOpenToJoin(tx: Tx, inviteCode: string): Promise<Dojo> {
  const dojo = await dojoByInviteCode(tx, inviteCode)
  await requireActiveDojo(tx, dojo.id)
  return dojo
}
