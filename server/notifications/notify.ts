import { superAdminIds } from '../accounts/accounts.ts'
import { instructorIds } from '../accounts/instructors.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { insertMany } from '../db/bulk.ts'
import { notifications } from './tables.ts'

/** `student_id` is whom it tells an instructor of: a notice that names a student goes with them. */
export type Notice = { title: string; message: string; sender_name?: string; student_id?: string }

/** Where super admins have their notifications: the dojo id of nobody's dojo. */
export const OFFICE = '00000000-0000-0000-0000-000000000000'
/** Told with a dojo's id whenever somebody's notifications in it changed. */
export const NOTIFICATIONS_CHANGED = 'notifications-changed'

/** Leaves each account a notice of its own; the transaction is in their dojo. */
export async function notifyEach(tx: Tx, dojoId: string, notices: (Notice & { account_id: string })[]): Promise<void> {
  await insertMany(tx, notifications, notices)
  if (notices.length > 0) await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Leaves the same notice for each of these accounts. */
export const notify = (tx: Tx, dojoId: string, accountIds: string[], notice: Notice): Promise<void> =>
  notifyEach(
    tx,
    dojoId,
    accountIds.map((account_id) => ({ ...notice, account_id })),
  )

/** Leaves a notice for every instructor of the transaction's dojo. */
export const notifyInstructors = async (tx: Tx, dojoId: string, notice: Notice): Promise<void> =>
  notify(tx, dojoId, await instructorIds(tx), notice)

/** Leaves a notice for every super admin, from inside any transaction. */
export async function notifySuperAdmins(tx: Tx, notice: Notice): Promise<void> {
  const ids = await superAdminIds(tx)
  await insideDojo(tx, OFFICE, (office) => notify(office, OFFICE, ids, notice))
}
