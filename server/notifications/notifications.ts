import type { Page } from '@tatami/contract/lib/fields'
import { DEFAULT_PAGE_SIZE } from '@tatami/contract/lib/fields'
import type {
  Notification,
  NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { and, count, desc, eq, getTableColumns, isNull, lt } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { NOTIFICATIONS_CHANGED } from './notify.ts'
import { notifications, notificationSettings } from './tables.ts'

const {
  dojo_id: _,
  account_id: __,
  announcement_id: ___,
  belt_change_id: ______,
  template: ____,
  is_about_fees: _____,
  ...columns
} = getTableColumns(notifications)

export async function notificationsOf(
  tx: Tx,
  account_id: string,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<Notification[]> {
  const rows = await tx
    .select(columns)
    .from(notifications)
    .where(
      and(
        eq(notifications.account_id, account_id),
        before ? lt(notifications.id, before) : undefined,
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, is_read: row.read_at !== null }))
}

export async function unreadCountOf(tx: Tx, account_id: string): Promise<number> {
  const [unread] = await tx
    .select({ n: count() })
    .from(notifications)
    .where(and(eq(notifications.account_id, account_id), isNull(notifications.read_at)))
  return unread!.n
}

/** Keeps the first time it was read. */
export async function markRead(
  tx: Tx,
  dojoId: string,
  account_id: string,
  id: string,
): Promise<void> {
  const isOwn = and(eq(notifications.id, id), eq(notifications.account_id, account_id))
  const [read] = await tx
    .update(notifications)
    .set({ read_at: nowIso() })
    .where(and(isOwn, isNull(notifications.read_at)))
    .returning({ id: notifications.id })
  if (read) return tx.publish(NOTIFICATIONS_CHANGED, dojoId)
  const [notification] = await tx.select({ id: notifications.id }).from(notifications).where(isOwn)
  if (!notification) throw notFound('Notification')
}

const ALL_ON = { sound_enabled: true, vibration_enabled: true, push_enabled: true }

export async function settingsOf(tx: Tx, account_id: string): Promise<NotificationSettings> {
  const [settings] = await tx
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.account_id, account_id))
  return settings ?? ALL_ON
}

type Change = { [S in keyof NotificationSettings]?: NotificationSettings[S] | undefined }

export async function changeSettings(
  tx: Tx,
  account_id: string,
  change: Change,
): Promise<NotificationSettings> {
  const { sound_enabled, vibration_enabled, push_enabled } = {
    ...(await settingsOf(tx, account_id)),
    ...change,
  }
  const settings = { sound_enabled, vibration_enabled, push_enabled }
  await tx
    .insert(notificationSettings)
    .values({ ...settings, account_id })
    .onConflictDoUpdate({
      target: [notificationSettings.dojo_id, notificationSettings.account_id],
      set: settings,
    })
  return settingsOf(tx, account_id)
}
