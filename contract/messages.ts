import { z } from 'zod'
import { TEXT_MAX } from './bulk-message.ts'
import type { Api } from './endpoint.ts'
import { done, flag, idParams, pageQuery, paragraph } from './fields.ts'
import { REMINDERS } from './message-words.ts'
import { batch, batchText, incomingText, seenTexts, simulated, textsAgain } from './text-history.ts'
import { reachable, SMS_ERRORS, smsStatus } from './text-service.ts'

export const DAILY_LIMIT_DEFAULT = 300
const DAILY_LIMIT_MIN = 1
export const DAILY_LIMIT_MAX = 10_000
const LIMIT_WORDS = 'Daily limit must be between 1 and 10,000'

/** How many texts a dojo may send a day, the same for all (specification, section 9). */
export const dailyLimit = z.object({
  daily_limit: z.number({ error: LIMIT_WORDS }).int(LIMIT_WORDS).min(DAILY_LIMIT_MIN, LIMIT_WORDS).max(DAILY_LIMIT_MAX, LIMIT_WORDS),
})

const dailyUsage = z.object({
  /** The UTC day. */
  date: z.string(),
  message_count: z.number(),
  daily_limit: z.number(),
  remaining_messages: z.number(),
  limit_reached: z.boolean(),
})
export type DailyUsage = z.output<typeof dailyUsage>

const welcome = z.object({ welcome_message_enabled: flag('Welcome message') })
const reminders = z.object({ reminders_enabled: flag('Reminders') })
const reminderRun = z.object({ reminder: z.enum(REMINDERS), month: z.iso.date() })

export const messagesApi = {
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
    summary: 'Set how many texts each dojo may send per day; applies at once',
    body: dailyLimit,
    reply: z.object({ success: z.literal(true), daily_message_limit: z.number() }),
  },
  usage: {
    method: 'GET',
    path: '/daily-message-usage',
    access: 'instructor',
    summary: "How many of the day's texts are used",
    reply: dailyUsage,
  },
  welcomeSettings: {
    method: 'GET',
    path: '/welcome-message-settings',
    access: 'instructor',
    summary: 'Whether new students get a welcome text',
    reply: welcome,
  },
  setWelcome: {
    method: 'PUT',
    path: '/welcome-message-settings',
    access: 'instructor',
    summary: 'Switch the welcome text',
    body: welcome,
    reply: done.extend(welcome.shape),
  },
  reminderSettings: {
    method: 'GET',
    path: '/reminder-settings',
    access: 'instructor',
    summary: 'Whether reminders go out by themselves, and for which months each kind has',
    reply: reminders.extend({ runs: z.array(reminderRun) }),
  },
  setReminders: {
    method: 'PUT',
    path: '/reminder-settings',
    access: 'instructor',
    summary: 'Switch the automated reminders',
    body: reminders,
    reply: done.extend(reminders.shape),
  },
  status: {
    method: 'GET',
    path: '/sms/status',
    access: 'instructor',
    summary: 'What the last check or send found of the text service',
    reply: smsStatus,
  },
  init: {
    method: 'POST',
    path: '/sms/init',
    access: 'instructor',
    summary: 'Check the text service for real',
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
    summary: 'Which text service is used',
    reply: smsStatus.pick({ service: true, phone_number: true, status: true }),
  },
  qr: {
    method: 'GET',
    path: '/whatsapp/qr',
    access: 'instructor',
    summary: 'A QR code to the setup page while the service is not connected',
    reply: z.object({ qr: z.string().nullable(), ...reachable }),
  },
  batches: {
    method: 'GET',
    path: '/sms/batches',
    access: 'instructor',
    summary: 'What went out, newest first',
    query: pageQuery,
    reply: z.array(batch),
  },
  batch: {
    method: 'GET',
    path: '/sms/batches/:id',
    access: 'instructor',
    summary: 'What became of it, student by student',
    params: idParams,
    reply: batch.extend({ texts: z.array(batchText) }),
  },
  sendAgain: {
    method: 'POST',
    path: '/sms/batches/:id/send-again',
    access: 'instructor',
    summary: 'Send what failed or is uncertain once more; all of it, or the messages named',
    idempotent: true,
    params: idParams,
    body: textsAgain,
    reply: done.extend({ total_recipients: z.number() }),
  },
  inbox: {
    method: 'GET',
    path: '/sms/inbox',
    access: 'instructor',
    summary: 'What people wrote back, newest first',
    polled: true,
    query: pageQuery,
    reply: z.array(incomingText),
  },
  inboxUnread: {
    method: 'GET',
    path: '/sms/inbox/unread-count',
    access: 'instructor',
    summary: 'How much of what people wrote back is unread',
    polled: true,
    reply: z.object({ unread_count: z.number() }),
  },
  readInbox: {
    method: 'PUT',
    path: '/sms/inbox/read',
    access: 'instructor',
    summary: 'Mark what people wrote back as read; what is gone is left out',
    body: seenTexts,
    reply: done,
  },
  simulated: {
    method: 'GET',
    path: '/sms/simulated',
    access: 'instructor',
    summary: 'What the simulator would have sent, newest first',
    query: pageQuery,
    reply: z.array(simulated),
  },
  answerSimulated: {
    method: 'POST',
    path: '/sms/simulated/:id/answer',
    access: 'instructor',
    summary: 'Answer a simulated text as from its phone; `answer` is what the phone is told, null for nothing',
    idempotent: true,
    params: idParams,
    body: z.object({ text: paragraph('Message', TEXT_MAX) }),
    reply: done.extend({ answer: z.string().nullable() }),
  },
} as const satisfies Api
