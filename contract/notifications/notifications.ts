import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { success, flag, idParams, pageQuery } from '../lib/fields.ts'
import { isPrivateHostname } from '../lib/private-hostname.ts'

export const POLL_MS = 10_000
/** Only newer notifications make a sound or vibrate (specification, section 9). */
export const FRESH_MS = 30_000
export const VIBRATION_MS = [100, 50, 100]
const BADGE_CAP = 9

export const badge = (unread: number): string =>
  unread > BADGE_CAP ? `${BADGE_CAP}+` : String(unread)

export const NOTIFICATION_SCREENS = ['/notification-settings', '/automatic-reminders'] as const

const notification = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  sender_name: z.string().nullable(),
  student_id: z.uuid().nullable(),
  created_at: z.string(),
  is_read: z.boolean(),
  read_at: z.string().nullable(),
  opens: z.enum(NOTIFICATION_SCREENS).nullable(),
})
export type Notification = z.output<typeof notification>

const notificationSettings = z.object({
  sound_enabled: flag('Sound'),
  vibration_enabled: flag('Vibration'),
  push_enabled: flag('Push'),
})
export type NotificationSettings = z.output<typeof notificationSettings>

/** A public host name on the default https port, without credentials. */
const isPushService = (address: string) => {
  const { hostname, port, username, password } = new URL(address)
  const isName = /\.[a-z][a-z0-9-]*$/.test(hostname)
  return isName && !isPrivateHostname(hostname) && `${port}${username}${password}` === ''
}

const pushSubscription = z.object({
  endpoint: z
    .url({ protocol: /^https$/, abort: true, error: 'The push address must begin with https' })
    .max(1000, 'The push address is too long')
    .regex(/^[\x21-\x7e]+$/, 'The push address is not valid')
    .refine(isPushService, 'The push address is not public'),
  keys: z.object(
    {
      p256dh: z
        .string('The push key is required')
        .regex(/^[\w-]{87}=?$/, 'The push key is not valid'),
      auth: z
        .string('The push secret is required')
        .regex(/^[\w-]{22}(==)?$/, 'The push secret is not valid'),
    },
    'The push keys are required',
  ),
})
export type PushSubscriptionKeys = z.output<typeof pushSubscription>

export const notificationsApi = {
  list: {
    method: 'GET',
    path: '/notifications',
    access: 'signed-in',
    summary: "One's notifications, newest first",
    polled: true,
    query: pageQuery,
    reply: z.array(notification),
  },
  unreadCount: {
    method: 'GET',
    path: '/notifications/unread-count',
    access: 'signed-in',
    summary: 'How many are unread',
    polled: true,
    reply: z.object({ unread_count: z.number() }),
  },
  markRead: {
    method: 'PUT',
    path: '/notifications/:id/mark-read',
    access: 'signed-in',
    summary: 'Mark one read',
    params: idParams,
    reply: success,
  },
  settings: {
    method: 'GET',
    path: '/notification-settings',
    access: 'signed-in',
    summary: 'Sound, vibration, push',
    reply: notificationSettings,
  },
  updateSettings: {
    method: 'PUT',
    path: '/notification-settings',
    access: 'signed-in',
    summary: 'Change sound, vibration, push',
    body: notificationSettings.partial(),
    reply: notificationSettings,
  },
  push: {
    method: 'GET',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'The key that browsers subscribe with, and whether this one has',
    reply: z.object({ public_key: z.string(), subscribed: z.boolean() }),
  },
  subscribe: {
    method: 'PUT',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'Push to this session’s browser, until the session ends',
    body: pushSubscription,
    reply: success,
  },
  unsubscribe: {
    method: 'DELETE',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'No more push to this session’s browser',
    reply: success,
  },
} as const satisfies Api
