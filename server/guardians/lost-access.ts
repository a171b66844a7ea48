import { eq } from 'drizzle-orm'
import { findChildrenWithoutConsent } from '../accounts/child-logins.ts'
import { endSessionsOfAccount } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { deleteUnreadableNotifications } from '../notifications/withdraw.ts'

/** Call this when somebody may have lost access to the students. Deletes notifications that people
 *  may no longer read, and logs out children without consent. */
export async function endLostAccess(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  await deleteUnreadableNotifications(tx, dojoId, studentIds)
  await renewPhotoAddresses(tx, studentIds)
  await logOutChildrenWithoutConsent(tx, dojoId, studentIds)
}

async function logOutChildrenWithoutConsent(tx: Tx, dojoId: string, studentIds: string[]) {
  for (const id of await findChildrenWithoutConsent(tx, dojoId, studentIds)) {
    // Waits for a login that has already begun, so that its session ends too.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for('update')
    await endSessionsOfAccount(tx, id)
  }
}
