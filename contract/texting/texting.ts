import { z } from 'zod'
import { bulkDraft, bulkMessage, preview, sentBulk } from './bulk-message.ts'
import type { Api } from '../lib/endpoint.ts'
import { oneOf, success, flag, idParams, pageQuery } from '../lib/fields.ts'
import { REMINDERS } from './message-types.ts'
import {
  batch,
  batchText,
  incomingText,
  markReadForm,
  simulatedText,
  sendAgainForm,
} from './text-history.ts'

export const DAILY_LIMIT_DEFAULT = 300
const DAILY_LIMIT_MIN = 1
export const DAILY_LIMIT_MAX = 10_000
export const DAILY_LIMIT_RULE = 'Daily limit must be between 1 and 10,000'
export const isDailyLimit = (limit: number): boolean =>
  Number.isInteger(limit) && limit >= DAILY_LIMIT_MIN && limit <= DAILY_LIMIT_MAX

export const dailyLimit = z.object({
  daily_limit: z
    .number({ error: DAILY_LIMIT_RULE })
    .int(DAILY_LIMIT_RULE)
    .min(DAILY_LIMIT_MIN, DAILY_LIMIT_RULE)
    .max(DAILY_LIMIT_MAX, DAILY_LIMIT_RULE),
})

const dailyUsage = z.object({
  date: z.string(),
  message_count: z.number(),
  daily_limit: z.number(),
  remaining_messages: z.number(),
  limit_reached: z.boolean(),
})
export type DailyUsage = z.output<typeof dailyUsage>

const welcomeSettings = z.object({ welcome_message_enabled: flag('Welcome message') })
const reminderSettings = z.object({ reminders_enabled: flag('Reminders') })
const reminderRun = z.object({ reminder: z.enum(REMINDERS), month: z.iso.date() })

export const SMS_STATES = [
  'checking',
  'ready',
  'disconnected',
  'service_unavailable',
  'service_unreachable',
] as const
export const SMS_ERRORS = ['connectivity', 'authentication', 'initialization', 'network'] as const
export const SERVICES = ['twilio_sms', 'simulator', 'none'] as const
const connectionFields = {
  status: z.enum(SMS_STATES),
  connected: z.boolean(),
  user: z.object({ name: z.string() }),
}
const smsStatus = z.object({
  ...connectionFields,
  instructorId: z.uuid(),
  phone_number: z.string().nullable(),
  service: z.enum(SERVICES),
  error: z.string().nullable(),
})

/** `has_gone_out` is true if this reminder was already sent for the month. */
const reminderPreview = preview.extend({ month: z.iso.date(), has_gone_out: z.boolean() })
export type ReminderPreview = z.output<typeof reminderPreview>

const upcomingReminder = preview.extend({
  reminder: z.enum(REMINDERS),
  text: z.string(),
  sends_on: z.iso.date(),
  month: z.iso.date(),
  families: z.number(),
  /** The day when the server told the dojo that it will send reminders automatically. */
  announced_on: z.iso.date().nullable(),
})
export type UpcomingReminder = z.output<typeof upcomingReminder>

const recipientCount = success.extend({ total_recipients: z.number() })
/** With `unless_sent=true`, a reminder that was already sent this month is refused with 409. */
const manualReminderQuery = z.object({ unless_sent: oneOf('unless_sent', ['true']).optional() })
export type ManualReminderQuery = z.output<typeof manualReminderQuery>

const manualReminderEndpoint = <const Path extends `/${string}`>(path: Path, summary: string) =>
  ({
    method: 'POST',
    path,
    access: 'instructor',
    right: ['texts.send', 'money.see'],
    summary,
    idempotent: true,
    query: manualReminderQuery,
    reply: recipientCount,
  }) as const

export const textingApi = {
  systemConfig: {
    method: 'GET',
    path: '/super-admin/system-config',
    access: 'super-admin',
    summary: 'The settings for all dojos',
    reply: z.object({ daily_message_limit: z.number() }),
  },
  setDailyLimit: {
    method: 'PUT',
    path: '/super-admin/daily-message-limit',
    access: 'super-admin',
    summary: 'Set how many texts each dojo may send per day',
    body: dailyLimit,
    reply: z.object({ success: z.literal(true), daily_message_limit: z.number() }),
  },
  usage: {
    method: 'GET',
    path: '/daily-message-usage',
    access: 'instructor',
    right: 'texts.send',
    summary: 'How many of today’s texts are used',
    reply: dailyUsage,
  },
  welcomeSettings: {
    method: 'GET',
    path: '/welcome-message-settings',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Whether new students get a welcome text',
    reply: welcomeSettings,
  },
  setWelcome: {
    method: 'PUT',
    path: '/welcome-message-settings',
    access: 'instructor',
    right: 'settings',
    summary: 'Turn the welcome text on or off',
    body: welcomeSettings,
    reply: success.extend(welcomeSettings.shape),
  },
  reminderSettings: {
    method: 'GET',
    path: '/reminder-settings',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Whether reminders are automatic, and for which months each was sent',
    reply: reminderSettings.extend({ runs: z.array(reminderRun) }),
  },
  setReminders: {
    method: 'PUT',
    path: '/reminder-settings',
    access: 'instructor',
    right: 'settings',
    summary: 'Turn the automatic reminders on or off',
    body: reminderSettings,
    reply: success.extend(reminderSettings.shape),
  },
  status: {
    method: 'GET',
    path: '/sms/status',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'The state of the text service after the last check or text: checking, ready, ' +
      'disconnected, service_unavailable or service_unreachable',
    reply: smsStatus,
  },
  init: {
    method: 'POST',
    path: '/sms/init',
    access: 'instructor',
    right: 'settings',
    summary: 'Check the text service now',
    reply: z.object({
      success: z.boolean(),
      message: z.string().optional(),
      error: z.string().optional(),
      error_type: z.enum(SMS_ERRORS).optional(),
    }),
  },
  info: {
    method: 'GET',
    path: '/sms/info',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Which text service is used',
    reply: smsStatus.pick({ service: true, phone_number: true, status: true }),
  },
  qr: {
    method: 'GET',
    path: '/whatsapp/qr',
    access: 'instructor',
    right: 'settings',
    summary: 'A QR code for the setup page while the text service is not connected',
    reply: z.object({ qr: z.string().nullable(), ...connectionFields }),
  },
  batches: {
    method: 'GET',
    path: '/sms/batches',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Sent batches, newest first',
    query: pageQuery,
    reply: z.array(batch),
  },
  batch: {
    method: 'GET',
    path: '/sms/batches/:id',
    access: 'instructor',
    right: 'texts.read',
    summary: 'A batch, with the delivery of each student’s text',
    params: idParams,
    reply: batch.extend({ texts: z.array(batchText) }),
  },
  sendBulk: {
    method: 'POST',
    path: '/sms/send-bulk-message',
    access: 'instructor',
    right: 'texts.send',
    summary:
      'Text all students, those of `selected_classes`, or only `selected_students`. Returns the ' +
      'number of students and texts, and why others get none. 429 if too few of today’s ' +
      'texts are left. A repeated Idempotency-Key gets the first response',
    idempotent: true,
    body: bulkMessage,
    reply: sentBulk,
  },
  preview: {
    method: 'POST',
    path: '/sms/preview',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Who would get a text, what it would say, and why others get none',
    readOnly: true,
    body: bulkDraft,
    reply: preview,
  },
  previewReminder: {
    method: 'GET',
    path: '/sms/reminders/:reminder/preview',
    access: 'instructor',
    right: ['texts.send', 'money.see'],
    summary:
      'Who would get a reminder if it was sent now, for which month, and why other students ' +
      'would get none',
    params: z.object({ reminder: oneOf('Reminder', REMINDERS) }),
    reply: reminderPreview,
  },
  upcomingReminder: {
    method: 'GET',
    path: '/sms/upcoming-reminder',
    access: 'instructor',
    right: ['texts.send', 'money.see'],
    summary: 'The next automatic reminder: when, which text, to how many families, and to whom',
    reply: upcomingReminder,
  },
  sendPreDue: manualReminderEndpoint(
    '/sms/send-pre-due-reminder',
    'Send the reminder about the fee that is due next month',
  ),
  sendOnDue: manualReminderEndpoint(
    '/sms/send-on-due-reminder',
    'Send the reminder about the fee that is due this month',
  ),
  sendPostDue: manualReminderEndpoint(
    '/sms/send-post-due-reminder',
    'Send the reminder about the fee that is past due this month',
  ),
  sendAgain: {
    method: 'POST',
    path: '/sms/batches/:id/send-again',
    access: 'instructor',
    right: 'texts.send',
    summary: 'Send failed and uncertain texts of a batch again, all or only those in the request',
    idempotent: true,
    params: idParams,
    body: sendAgainForm,
    reply: recipientCount.extend({ total_texts: z.number() }),
  },
  inbox: {
    method: 'GET',
    path: '/sms/inbox',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Texts from people, newest first',
    polled: true,
    query: pageQuery,
    reply: z.array(incomingText),
  },
  inboxUnread: {
    method: 'GET',
    path: '/sms/inbox/unread-count',
    access: 'instructor',
    right: 'texts.read',
    summary: 'How many texts from people are unread',
    polled: true,
    reply: z.object({ unread_count: z.number() }),
  },
  readInbox: {
    method: 'PUT',
    path: '/sms/inbox/read',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Mark texts from people as read. Texts that no longer exist are ignored',
    body: markReadForm,
    reply: success,
  },
  simulated: {
    method: 'GET',
    path: '/sms/simulated',
    access: 'instructor',
    right: 'texts.read',
    summary: 'Texts that the simulator would have sent, newest first',
    query: pageQuery,
    reply: z.array(simulatedText),
  },
} as const satisfies Api
