import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { done, flag, idParams, pageQuery } from './fields.ts'

export const POLL_MS = 10_000
/** How old, by the server's clock, the newest unread notification may be to sound and vibrate (specification, section 9). */
export const FRESH_MS = 30_000
export const VIBRATION_MS = [100, 50, 100]
const BADGE_CAP = 9

/** The unread badge: "9+" above 9. */
export const badge = (unread: number): string => (unread > BADGE_CAP ? `${BADGE_CAP}+` : String(unread))

export const notification = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  sender_name: z.string().nullable(),
  created_at: z.string(),
  is_read: z.boolean(),
  read_at: z.string().nullable(),
})
export type Notification = z.output<typeof notification>

export const notificationSettings = z.object({ sound_enabled: flag('Sound'), vibration_enabled: flag('Vibration'), push_enabled: flag('Push') })
export type NotificationSettings = z.output<typeof notificationSettings>

export const notificationsApi = {
  list: {
    method: 'GET', path: '/notifications', access: 'signed-in', summary: "One's notifications, newest first",
    polled: true, query: pageQuery, reply: z.array(notification),
  },
  unreadCount: {
    method: 'GET', path: '/notifications/unread-count', access: 'signed-in', summary: 'How many are unread',
    polled: true, reply: z.object({ unread_count: z.number() }),
  },
  markRead: {
    method: 'PUT', path: '/notifications/:id/mark-read', access: 'signed-in', summary: 'Mark one read',
    params: idParams, reply: done,
  },
  settings: {
    method: 'GET', path: '/notification-settings', access: 'signed-in', summary: 'Sound, vibration, push',
    reply: notificationSettings,
  },
  updateSettings: {
    method: 'PUT', path: '/notification-settings', access: 'signed-in', summary: 'Change sound, vibration, push',
    body: notificationSettings.partial(), reply: notificationSettings,
  },
} as const satisfies Api
