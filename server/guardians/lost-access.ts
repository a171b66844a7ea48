import { eq } from 'drizzle-orm'
import { childrenWithoutConsent } from '../accounts/child-logins.ts'
import { endSessionsOf } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import type { Tx } from '../db/database.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { deleteUnreadableNotifications } from '../notifications/withdraw.ts'

/** Deletes notifications that may not be read anymore, and ends sessions without consent. */
export async function endLostAccess(tx: Tx, dojoId: string, studentIds: string[]): Promise<void> {
  await deleteUnreadableNotifications(tx, dojoId, studentIds)
  await renewPhotoAddresses(tx, studentIds)
  await signOutChildrenWithoutConsent(tx, dojoId, studentIds)
}

async function signOutChildrenWithoutConsent(tx: Tx, dojoId: string, studentIds: string[]) {
  for (const id of await childrenWithoutConsent(tx, dojoId, studentIds)) {
    // The lock waits for a login that read the consent before it ended, so its session ends too.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for('update')
    await endSessionsOf(tx, id)
  }
}
