import { superAdminIds } from '../accounts/accounts.ts'
import { instructorIds } from '../accounts/instructors.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { insertMany } from '../db/bulk.ts'
import { notifications } from './tables.ts'

/** `student_id` is the student that the notification is about: it is deleted together with that student. */
export type NotificationContent = { title: string; message: string; sender_name?: string; student_id?: string }

/** The dojo id under which super admins have their notifications; no dojo has it. */
export const ADMIN_INBOX_ID = '00000000-0000-0000-0000-000000000000'
/** Published with a dojo's id when the notifications of one of its accounts change. */
export const NOTIFICATIONS_CHANGED = 'notifications-changed'

/** Gives each account a notification of its own. The transaction must be in their dojo. */
export async function notifyEach(tx: Tx, dojoId: string, contents: (NotificationContent & { account_id: string })[]): Promise<void> {
  await insertMany(tx, notifications, contents)
  if (contents.length > 0) await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Gives each of these accounts the same notification. */
export const notify = (tx: Tx, dojoId: string, accountIds: string[], content: NotificationContent): Promise<void> =>
  notifyEach(
    tx,
    dojoId,
    accountIds.map((account_id) => ({ ...content, account_id })),
  )

/** Notifies every instructor of the transaction's dojo. */
export const notifyInstructors = async (tx: Tx, dojoId: string, content: NotificationContent): Promise<void> =>
  notify(tx, dojoId, await instructorIds(tx), content)

/** Notifies every super admin, from any transaction. */
export async function notifySuperAdmins(tx: Tx, content: NotificationContent): Promise<void> {
  const ids = await superAdminIds(tx)
  await insideDojo(tx, ADMIN_INBOX_ID, (adminTx) => notify(adminTx, ADMIN_INBOX_ID, ids, content))
}
