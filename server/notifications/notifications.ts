import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import type {
  Notification,
  NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { and, desc, eq, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import type { Caller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { NOTIFICATIONS_CHANGED } from './notify.ts'
import { notifications, notificationSettings } from './tables.ts'

const notificationColumns = {
  ...pick(notifications, 'id', 'title', 'message', 'sender_name', 'student_id'),
  ...pick(notifications, 'created_at', 'read_at', 'opens'),
}

type Reader = Pick<Caller, 'id' | 'staff'>

/** SQL condition: the account's notifications that the reader's current rights allow. */
const isReadableBy = ({ id, staff }: Reader) =>
  and(
    eq(notifications.account_id, id),
    staff?.isOwner
      ? undefined
      : or(
          isNull(notifications.needed_right),
          inArray(notifications.needed_right, [...(staff?.rights ?? [])]),
        ),
  )

export async function listNotifications(
  tx: Tx,
  reader: Reader,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<Notification[]> {
  const rows = await tx
    .select(notificationColumns)
    .from(notifications)
    .where(and(isReadableBy(reader), before ? lt(notifications.id, before) : undefined))
    .orderBy(desc(notifications.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, is_read: row.read_at !== null }))
}

export const countUnread = (tx: Tx, reader: Reader): Promise<number> =>
  tx.$count(notifications, and(isReadableBy(reader), isNull(notifications.read_at)))

/** A notification that was already read keeps the time at which it was first read. */
export async function markRead(tx: Tx, dojoId: string, account_id: string, id: string) {
  const isOwn = and(eq(notifications.id, id), eq(notifications.account_id, account_id))
  const [readNotification] = await tx
    .update(notifications)
    .set({ read_at: nowIso() })
    .where(and(isOwn, isNull(notifications.read_at)))
    .returning({ id: notifications.id })
  if (readNotification) return tx.publish(NOTIFICATIONS_CHANGED, dojoId)
  if ((await tx.$count(notifications, isOwn)) === 0) throw notFound('Notification')
}

/** `upToId` is the newest notification on the screen. Newer notifications have greater ids and stay
 *  unread. */
export async function markAllRead(tx: Tx, dojoId: string, account_id: string, upToId: string) {
  const readNotifications = await tx
    .update(notifications)
    .set({ read_at: nowIso() })
    .where(
      and(
        eq(notifications.account_id, account_id),
        isNull(notifications.read_at),
        lte(notifications.id, upToId),
      ),
    )
    .returning({ id: notifications.id })
  if (readNotifications.length > 0) await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

const DEFAULT_SETTINGS = { sound_enabled: true, vibration_enabled: true, push_enabled: true }

export async function readSettings(tx: Tx, account_id: string): Promise<NotificationSettings> {
  const [settings] = await tx
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.account_id, account_id))
  return settings ?? DEFAULT_SETTINGS
}

type SettingsChange = {
  [Setting in keyof NotificationSettings]?: NotificationSettings[Setting] | undefined
}

export async function changeSettings(
  tx: Tx,
  account_id: string,
  change: SettingsChange,
): Promise<NotificationSettings> {
  const settings = pick(
    { ...(await readSettings(tx, account_id)), ...change },
    'sound_enabled',
    'vibration_enabled',
    'push_enabled',
  )
  await tx
    .insert(notificationSettings)
    .values({ ...settings, account_id })
    .onConflictDoUpdate({
      target: [notificationSettings.dojo_id, notificationSettings.account_id],
      set: settings,
    })
  return readSettings(tx, account_id)
}
