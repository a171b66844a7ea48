import { eq } from 'drizzle-orm'
import { childrenWithoutConsent } from '../accounts/child-log-ins.ts'
import { endSessionsOf } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { deleteUnreadableNotifications } from '../notifications/withdraw.ts'

/**
 * Ends what is no longer allowed after a link, a right, an agreement or a date of birth of these
 * students has changed: notices that accounts may no longer read, and the sessions of children
 * under 13 to whose log-in nobody agrees any more. What is still allowed stays, so this may be
 * called after any change.
 */
export async function endLostAccess(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  await deleteUnreadableNotifications(tx, dojoId, studentIds)
  await signOutChildrenWithoutConsent(tx, dojoId, studentIds)
}

async function signOutChildrenWithoutConsent(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
): Promise<void> {
  for (const id of await childrenWithoutConsent(tx, dojoId, studentIds)) {
    // Waits for a sign-in that read the agreement just before it ended, and locks the account too.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for('update')
    await endSessionsOf(tx, id)
  }
}
