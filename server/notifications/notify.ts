import { toCents } from '@tatami/contract/lib/money'
import type { Notification } from '@tatami/contract/notifications/notifications'
import type { Right } from '@tatami/contract/rights'
import { sql } from 'drizzle-orm'
import { listSuperAdminIds } from '../accounts/accounts.ts'
import { listStaffWithRight } from '../accounts/instructors.ts'
import { newId } from '../db/columns.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'

type NotificationContent = {
  title: string
  message: string
  sender_name?: string
  /** Set if the notification is about one student. It is deleted together with the student. */
  student_id?: string
  announcement_id?: string
  belt_change_id?: string
  /** The message before names and amounts were filled in, from which it can be reworded. */
  template?: string
  is_about_fees?: boolean
  opens?: Notification['opens']
  /** Staff without this right do not see the notification. */
  needed_right?: Right
}

export type AccountMessage = {
  account_id: string
  message: string
  /** The students whom the message names, with the amounts that it mentions. */
  about?: readonly { id: string; amount?: number | null | undefined }[]
}

/** Super admins have no dojo, so their notifications are stored with this dojo id. */
export const ADMIN_INBOX_ID = '00000000-0000-0000-0000-000000000000'
export const NOTIFICATIONS_CHANGED = 'notifications-changed'

/** Sends each account its own message. All accounts must belong to the dojo. */
export async function notifyEach(
  tx: Tx,
  dojoId: string,
  content: Omit<NotificationContent, 'message'>,
  messages: AccountMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const { title, sender_name = null, student_id = null, announcement_id = null } = content
  const { template = null, belt_change_id = null, is_about_fees = false, opens = null } = content
  const { needed_right = null } = content
  const rows = messages.map((message) => ({ ...message, id: newId() }))
  const values = rows.map(({ id, account_id, message }) => ({ id, account_id, message }))
  // One statement, because there may be thousands of rows.
  await tx.execute(sql`
    insert into notifications (id, account_id, title, message, sender_name, student_id,
      announcement_id, template, belt_change_id, is_about_fees, opens, needed_right, created_at)
    select id, account_id, ${title}, message, ${sender_name}, ${student_id}::uuid,
      ${announcement_id}::uuid, ${template}, ${belt_change_id}::uuid, ${is_about_fees}, ${opens},
      ${needed_right}, ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as r(id uuid, account_id uuid, message text)`)
  await insertNotificationStudents(tx, rows)
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

async function insertNotificationStudents(
  tx: Tx,
  storedNotifications: (Pick<AccountMessage, 'about'> & { id: string })[],
): Promise<void> {
  const rows = storedNotifications.flatMap(({ id, about = [] }) =>
    about.map((student) => ({
      notification_id: id,
      student_id: student.id,
      amount: typeof student.amount === 'number' ? toCents(student.amount) : null,
    })),
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into notification_students (notification_id, student_id, amount)
    select notification_id, student_id, amount
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(notification_id uuid, student_id uuid, amount bigint)`)
}

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

/** Notifies the staff who have the right that the notification is about. */
export const notifyStaff = async (
  tx: Tx,
  dojoId: string,
  needed_right: Right,
  content: NotificationContent,
): Promise<void> =>
  notify(tx, dojoId, await listStaffWithRight(tx, needed_right), { ...content, needed_right })

export async function notifySuperAdmins(tx: Tx, content: NotificationContent): Promise<void> {
  const ids = await listSuperAdminIds(tx)
  await insideDojo(tx, ADMIN_INBOX_ID, (adminTx) => notify(adminTx, ADMIN_INBOX_ID, ids, content))
}
