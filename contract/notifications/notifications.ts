import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { success, flag, idParams, pageQuery, uuid } from '../lib/fields.ts'
import { isPrivateHostname } from '../lib/private-hostname.ts'

export const POLL_MS = 10_000
/** Only notifications newer than this make a sound or vibrate (specification, section 9). */
export const FRESH_MS = 30_000
export const VIBRATION_MS = [100, 50, 100]
const MAX_BADGE_COUNT = 9

/** "3", or "9+" for more than nine unread notifications. */
export const badgeText = (unread: number): string =>
  unread > MAX_BADGE_COUNT ? `${MAX_BADGE_COUNT}+` : String(unread)

export const NOTIFICATION_SCREENS = [
  '/notification-settings',
  '/automatic-reminders',
  '/message-center',
  '/staff',
  '/my-certificates',
  '/my-documents',
  '/documents',
  '/online-payment',
  '/online-payments',
  '/trials',
  '/leads',
] as const

const notification = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  sender_name: z.string().nullable(),
  student_id: z.uuid().nullable(),
  created_at: z.string(),
  is_read: z.boolean(),
  read_at: z.string().nullable(),
  /** The screen that opens when the notification is tapped. */
  opens: z.enum(NOTIFICATION_SCREENS).nullable(),
})
export type Notification = z.output<typeof notification>

const notificationSettings = z.object({
  sound_enabled: flag('Sound'),
  vibration_enabled: flag('Vibration'),
  push_enabled: flag('Push'),
})
export type NotificationSettings = z.output<typeof notificationSettings>

/** The address must have a public host name (not an IP address), the default https port and no
 *  credentials. */
const isPushService = (address: string) => {
  const { hostname, port, username, password } = new URL(address)
  const isPublicName = /\.[a-z][a-z0-9-]*$/.test(hostname) && !isPrivateHostname(hostname)
  return isPublicName && port === '' && username === '' && password === ''
}

/** What a browser returns: an address of printable ASCII characters, and two base64url keys of 65
 *  and 16 bytes. */
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
    summary: "The caller's notifications, newest first",
    polled: true,
    query: pageQuery,
    reply: z.array(notification),
  },
  unreadCount: {
    method: 'GET',
    path: '/notifications/unread-count',
    access: 'signed-in',
    summary: 'How many notifications are unread',
    polled: true,
    reply: z.object({ unread_count: z.number() }),
  },
  markRead: {
    method: 'PUT',
    path: '/notifications/:id/mark-read',
    access: 'signed-in',
    summary: 'Mark a notification as read',
    params: idParams,
    reply: success,
  },
  markAllRead: {
    method: 'PUT',
    path: '/notifications/mark-all-read',
    access: 'signed-in',
    summary: 'Mark all notifications as read, except those newer than the one that was on screen',
    body: z.object({ up_to: uuid('Notification') }),
    reply: success,
  },
  settings: {
    method: 'GET',
    path: '/notification-settings',
    access: 'signed-in',
    summary: 'Whether sound, vibration and push are on',
    reply: notificationSettings,
  },
  updateSettings: {
    method: 'PUT',
    path: '/notification-settings',
    access: 'signed-in',
    summary: 'Turn sound, vibration and push on or off',
    body: notificationSettings.partial(),
    reply: notificationSettings,
  },
  push: {
    method: 'GET',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'The key that browsers subscribe with, and whether this browser has subscribed',
    reply: z.object({ public_key: z.string(), subscribed: z.boolean() }),
  },
  subscribe: {
    method: 'PUT',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'Send push notifications to this browser until the session ends',
    body: pushSubscription,
    reply: success,
  },
  unsubscribe: {
    method: 'DELETE',
    path: '/push-subscription',
    access: 'signed-in',
    summary: 'Stop push notifications to this browser',
    reply: success,
  },
} as const satisfies Api
