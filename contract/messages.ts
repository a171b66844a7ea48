import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { choice, done, flag, idOf, idParams, optional, pageQuery, paragraph } from './fields.ts'
import { BATCH_KINDS, MESSAGE_TYPES, REMINDERS, SKIP_REASONS } from './message-words.ts'

export const DAILY_LIMIT_DEFAULT = 300
export const DAILY_LIMIT_MIN = 1
export const DAILY_LIMIT_MAX = 10_000
const LIMIT_WORDS = 'Daily limit must be between 1 and 10,000'

/** How many texts a dojo may send a day, the same for all (specification, section 9). */
export const dailyLimit = z.object({
  daily_limit: z.number({ error: LIMIT_WORDS }).int(LIMIT_WORDS).min(DAILY_LIMIT_MIN, LIMIT_WORDS).max(DAILY_LIMIT_MAX, LIMIT_WORDS),
})

export const dailyUsage = z.object({
  /** The UTC day. */
  date: z.string(), message_count: z.number(), daily_limit: z.number(), remaining_messages: z.number(), limit_reached: z.boolean(),
})
export type DailyUsage = z.output<typeof dailyUsage>

/** The longest text that a phone company carries as one. */
export const TEXT_MAX = 1600
const NO_WORDS = 'Please enter a message for the special announcement.'
const NO_CLASS = 'Please select at least one class to send the message to.'
const YEAR = 'Year must be between 2000 and 2199'
const MONTH = 'Month must be between 0 and 11'

const message = {
  custom_message: paragraph('Message', TEXT_MAX),
  /** Null and none both mean all classes. */
  selected_classes: z.array(idOf('Class'), { error: 'Class is not valid' }).max(1000).nullish(),
  /** 0 is January; left out, both are the dojo's current month. */
  selected_month: z.number(MONTH).int(MONTH).min(0, MONTH).max(11, MONTH).nullish(),
  selected_year: z.number(YEAR).int(YEAR).min(2000, YEAR).max(2199, YEAR).nullish(),
  exclude_paid_students: flag('Exclude paid students').nullish(),
}
const special = z.object({
  ...message,
  message_type: z.literal('special_announcement'),
  custom_message: z.preprocess((text) => text ?? '', paragraph('Message', TEXT_MAX, NO_WORDS)),
  selected_classes: z.array(idOf('Class'), { error: NO_CLASS }).min(1, NO_CLASS).max(1000),
})
const others = z.object({ ...message, message_type: choice('Message type', MESSAGE_TYPES).exclude(['special_announcement']) })
export const bulkMessage = z.discriminatedUnion('message_type', [special, others], { error: 'Message type is not valid' })
export type BulkMessage = z.output<typeof bulkMessage>

/** A message whose words may still be missing: who would get it is known before. */
const unwritten = { custom_message: optional(paragraph('Message', TEXT_MAX)) }
export const bulkDraft = z.discriminatedUnion('message_type', [special.extend(unwritten), others.extend(unwritten)], { error: 'Message type is not valid' })
export type BulkDraft = z.output<typeof bulkDraft>

const skipReason = z.enum(SKIP_REASONS)
const person = { student_id: z.uuid(), name: z.string() }
export const skippedStudent = z.object({ ...person, reason: skipReason })
export type SkippedStudent = z.output<typeof skippedStudent>

/** What a sending answers; the three counts are one number, under each name that the specification reads. */
export const sentBulk = done.extend({
  success_count: z.number(), successful_sends: z.number(), total_recipients: z.number(), skipped: z.array(skippedStudent), batch_id: z.uuid(),
})
export type SentBulk = z.output<typeof sentBulk>

export const preview = z.object({
  students: z.array(z.object({ ...person, sends: z.boolean(), reason: skipReason.nullable(), text: z.string().nullable(), segments: z.number() })),
  total_recipients: z.number(), total_segments: z.number(), remaining_messages: z.number(),
})
export type Preview = z.output<typeof preview>

export const TEXT_STATES = ['skipped', 'waiting', 'queued', 'sending', 'in_doubt', 'accepted', 'sent', 'delivered', 'undelivered', 'failed', 'uncertain'] as const
export type TextState = (typeof TEXT_STATES)[number]

/** `pending` is all that is not at the phone company yet; of these, `waiting` for tomorrow's allowance and `queued` for their turn. */
const counts = z.object({
  total: z.number(), pending: z.number(), waiting: z.number(), queued: z.number(), sent: z.number(), delivered: z.number(), failed: z.number(), uncertain: z.number(), skipped: z.number(),
})
export type Counts = z.output<typeof counts>
export const batch = z.object({ id: z.uuid(), message_type: z.enum(BATCH_KINDS), text: z.string(), created_at: z.string(), updated_at: z.string(), counts })
export type Batch = z.output<typeof batch>

export const batchText = z.object({
  id: z.uuid(), ...person, state: z.enum(TEXT_STATES), reason: z.string().nullable(), text: z.string().nullable(), phone_number: z.string().nullable(),
  updated_at: z.string(), may_send_again: z.boolean(),
})
export type BatchText = z.output<typeof batchText>

/** What a text asks for that is one of the carriers' words alone. */
export const WISHES = ['stop', 'start', 'help'] as const
export type Wish = (typeof WISHES)[number]
export const incomingText = z.object({
  id: z.uuid(), student_id: z.uuid().nullable(), name: z.string().nullable(), phone_number: z.string(), text: z.string(), wish: z.enum(WISHES).nullable(),
  received_at: z.string(), read_at: z.string().nullable(),
})
export type IncomingText = z.output<typeof incomingText>

export const SMS_STATES = ['checking', 'ready', 'disconnected', 'service_unavailable', 'service_unreachable'] as const
export const SMS_ERRORS = ['connectivity', 'authentication', 'initialization', 'network'] as const
export const SERVICES = ['twilio_sms', 'simulator', 'none'] as const
const reachable = { status: z.enum(SMS_STATES), connected: z.boolean(), user: z.object({ name: z.string() }) }
const smsStatus = z.object({ ...reachable, instructorId: z.uuid(), phone_number: z.string().nullable(), service: z.enum(SERVICES), error: z.string().nullable() })
const welcome = z.object({ welcome_message_enabled: flag('Welcome message') })
const reminders = z.object({ reminders_enabled: flag('Reminders') })
const reminderRun = z.object({ reminder: z.enum(REMINDERS), month: z.iso.date() })
const simulated = z.object({ id: z.uuid(), ...person, phone_number: z.string(), text: z.string(), state: z.enum(TEXT_STATES), sent_at: z.string() })
export type Simulated = z.output<typeof simulated>
const seen = z.object({ message_ids: z.array(idOf('Message'), { error: 'Messages are not valid' }).min(1, 'Message is required').max(1000, 'At most 1,000 messages') })
const which = z.object({ message_ids: z.array(idOf('Message'), { error: 'Messages are not valid' }).min(1, 'Message is required').max(10_000, 'At most 10,000 messages').nullish() })

export const messagesApi = {
  systemConfig: {
    method: 'GET', path: '/super-admin/system-config', access: 'super-admin', summary: 'What is set for all dojos',
    reply: z.object({ daily_message_limit: z.number() }),
  },
  setDailyLimit: {
    method: 'PUT', path: '/super-admin/daily-message-limit', access: 'super-admin', summary: 'Set how many texts each dojo may send a day; holds at once',
    body: dailyLimit, reply: z.object({ success: z.literal(true), daily_message_limit: z.number() }),
  },
  usage: { method: 'GET', path: '/daily-message-usage', access: 'instructor', summary: "How many of the day's texts are used", reply: dailyUsage },
  welcomeSettings: { method: 'GET', path: '/welcome-message-settings', access: 'instructor', summary: 'Whether new students get a welcome text', reply: welcome },
  setWelcome: { method: 'PUT', path: '/welcome-message-settings', access: 'instructor', summary: 'Switch the welcome text', body: welcome, reply: done.extend(welcome.shape) },
  reminderSettings: {
    method: 'GET', path: '/reminder-settings', access: 'instructor', summary: 'Whether reminders go out by themselves, and for which months each kind has',
    reply: reminders.extend({ runs: z.array(reminderRun) }),
  },
  setReminders: { method: 'PUT', path: '/reminder-settings', access: 'instructor', summary: 'Switch the automated reminders', body: reminders, reply: done.extend(reminders.shape) },
  status: { method: 'GET', path: '/sms/status', access: 'instructor', summary: 'What the last check or send found of the text service', reply: smsStatus },
  init: {
    method: 'POST', path: '/sms/init', access: 'instructor', summary: 'Check the text service for real',
    reply: z.object({ success: z.boolean(), message: z.string().optional(), error: z.string().optional(), error_type: z.enum(SMS_ERRORS).optional() }),
  },
  info: { method: 'GET', path: '/sms/info', access: 'instructor', summary: 'Which text service is used', reply: smsStatus.pick({ service: true, phone_number: true, status: true }) },
  qr: { method: 'GET', path: '/whatsapp/qr', access: 'instructor', summary: 'A QR code to the set-up page while the service is not connected', reply: z.object({ qr: z.string().nullable(), ...reachable }) },
  batches: { method: 'GET', path: '/sms/batches', access: 'instructor', summary: 'What went out, newest first', query: pageQuery, reply: z.array(batch) },
  batch: { method: 'GET', path: '/sms/batches/:id', access: 'instructor', summary: 'What became of it, student by student', params: idParams, reply: batch.extend({ texts: z.array(batchText) }) },
  sendAgain: {
    method: 'POST', path: '/sms/batches/:id/send-again', access: 'instructor', summary: 'Send what failed or is uncertain once more; all of it, or the messages named',
    params: idParams, body: which, reply: done.extend({ total_recipients: z.number() }),
  },
  inbox: { method: 'GET', path: '/sms/inbox', access: 'instructor', summary: 'What people wrote back, newest first', polled: true, query: pageQuery, reply: z.array(incomingText) },
  inboxUnread: {
    method: 'GET', path: '/sms/inbox/unread-count', access: 'instructor', summary: 'How much of what people wrote back is unread', polled: true, reply: z.object({ unread_count: z.number() }),
  },
  readInbox: { method: 'PUT', path: '/sms/inbox/read', access: 'instructor', summary: 'Mark what people wrote back as read; what is gone is left out', body: seen, reply: done },
  simulated: { method: 'GET', path: '/sms/simulated', access: 'instructor', summary: 'What the simulator would have sent, newest first', query: pageQuery, reply: z.array(simulated) },
  answerSimulated: {
    method: 'POST', path: '/sms/simulated/:id/answer', access: 'instructor', summary: 'Answer a simulated text as from its phone; `answer` is what the phone is told, null for nothing',
    params: idParams, body: z.object({ text: paragraph('Message', TEXT_MAX) }), reply: done.extend({ answer: z.string().nullable() }),
  },
} as const satisfies Api
