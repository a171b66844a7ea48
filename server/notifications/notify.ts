import type { Notification } from '@tatami/contract/notifications'
import { and, eq, sql } from 'drizzle-orm'
import { superAdminIds } from '../accounts/accounts.ts'
import { instructorIds } from '../accounts/instructors.ts'
import { newId } from '../db/columns.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { notifications } from './tables.ts'

/** `student_id` is the student that the notification is about: it is deleted together with that student. */
export type NotificationContent = {
  title: string
  message: string
  sender_name?: string
  student_id?: string
  announcement_id?: string
  opens?: Notification['opens']
}

/** The dojo id under which super admins have their notifications; no dojo has it. */
export const ADMIN_INBOX_ID = '00000000-0000-0000-0000-000000000000'
/** Published with a dojo's id when the notifications of one of its accounts change. */
export const NOTIFICATIONS_CHANGED = 'notifications-changed'

/** Gives each account a notification that differs from the others in its message only. The transaction must be in their dojo. */
export async function notifyEach(
  tx: Tx,
  dojoId: string,
  { title, sender_name, student_id, announcement_id, opens }: Omit<NotificationContent, 'message'>,
  messages: { account_id: string; message: string }[],
): Promise<void> {
  if (messages.length === 0) return
  const rows = messages.map((one) => ({ ...one, id: newId() }))
  // One statement and a few parameters, however many thousand rows there are.
  await tx.execute(sql`insert into notifications (id, account_id, title, message, sender_name, student_id, announcement_id, opens, created_at)
    select id, account_id, ${title}, message, ${sender_name ?? null}, ${student_id ?? null}::uuid, ${announcement_id ?? null}::uuid,
      ${opens ?? null}, ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, account_id uuid, message text)`)
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Gives each of these accounts the same notification. */
export const notify = (
  tx: Tx,
  dojoId: string,
  accountIds: string[],
  { message, ...content }: NotificationContent,
): Promise<void> =>
  notifyEach(
    tx,
    dojoId,
    content,
    accountIds.map((account_id) => ({ account_id, message })),
  )

/** Deletes what an account was told of a student whom it sees no more. What it was told as an instructor stays. */
export async function deleteNotificationsAbout(
  tx: Tx,
  dojoId: string,
  accountId: string,
  studentId: string,
): Promise<void> {
  if ((await instructorIds(tx)).includes(accountId)) return
  await tx
    .delete(notifications)
    .where(and(eq(notifications.student_id, studentId), eq(notifications.account_id, accountId)))
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Notifies every instructor of the transaction's dojo. */
export const notifyInstructors = async (
  tx: Tx,
  dojoId: string,
  content: NotificationContent,
): Promise<void> => notify(tx, dojoId, await instructorIds(tx), content)

/** Notifies every super admin, from any transaction. */
export async function notifySuperAdmins(tx: Tx, content: NotificationContent): Promise<void> {
  const ids = await superAdminIds(tx)
  await insideDojo(tx, ADMIN_INBOX_ID, (adminTx) => notify(adminTx, ADMIN_INBOX_ID, ids, content))
}
