import { z } from 'zod'
import { uuid } from '../lib/fields.ts'
import { BATCH_KINDS } from './message-types.ts'

export const TEXT_STATES = [
  // The student gets no text, and the reason says why.
  'skipped',
  // The day has no room for it yet.
  'waiting',
  // A server sends it next.
  'queued',
  // A server has claimed it and calls the provider.
  'sending',
  // Nobody knows whether the provider has it: the provider is asked.
  'in_doubt',
  // The provider has it.
  'accepted',
  // The provider has handed it to the carrier.
  'sent',
  // The phone confirms it.
  'delivered',
  // The carrier could not deliver it.
  'undelivered',
  // It never left.
  'failed',
  // The provider could not say whether it was sent.
  'uncertain',
] as const
export type TextState = (typeof TEXT_STATES)[number]

/** What became of a text that may ask for no more texts: not decided yet, the texts ended, or they go on. */
export const STOP_REQUESTS = ['open', 'ended', 'kept'] as const
export type StopRequest = (typeof STOP_REQUESTS)[number]

/** `pending` is all that is not at the phone company yet; of these, `waiting` for tomorrow's allowance and `queued` for their turn. */
const counts = z.object({
  total: z.number(),
  pending: z.number(),
  waiting: z.number(),
  queued: z.number(),
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  uncertain: z.number(),
  skipped: z.number(),
  /** Whose phone has answered OK. */
  acknowledged: z.number(),
})
export type Counts = z.output<typeof counts>
export const batch = z.object({
  id: z.uuid(),
  message_type: z.enum(BATCH_KINDS),
  text: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  counts,
})
export type Batch = z.output<typeof batch>

export const batchText = z.object({
  id: z.uuid(),
  /** The same for students who share one text. */
  text_id: z.uuid(),
  /** Null for a text to a phone that belongs to nobody; its name is the number. */
  student_id: z.uuid().nullable(),
  name: z.string(),
  state: z.enum(TEXT_STATES),
  reason: z.string().nullable(),
  text: z.string().nullable(),
  phone_number: z.string().nullable(),
  /** Where to call: the text's phone; of a cancellation also for who gets no text, a guardian's, the student's or the emergency contact's. */
  call_phone: z.string().nullable(),
  updated_at: z.string(),
  may_send_again: z.boolean(),
  acknowledged_at: z.string().nullable(),
})
export type BatchText = z.output<typeof batchText>

/** What a text asks for that is one of the carriers' words alone. */
export const KEYWORDS = ['stop', 'start', 'help'] as const
export type Keyword = (typeof KEYWORDS)[number]
export const incomingText = z.object({
  id: z.uuid(),
  student_id: z.uuid().nullable(),
  name: z.string().nullable(),
  phone_number: z.string(),
  text: z.string(),
  wish: z.enum(KEYWORDS).nullable(),
  received_at: z.string(),
  read_at: z.string().nullable(),
})
export type IncomingText = z.output<typeof incomingText>

export const simulatedText = z.object({
  id: z.uuid(),
  student_id: z.uuid().nullable(),
  name: z.string(),
  /** All whom the text is about; nobody for a number that is nobody's. */
  students: z.array(z.object({ student_id: z.uuid(), name: z.string() })),
  phone_number: z.string(),
  text: z.string(),
  state: z.enum(TEXT_STATES),
  sent_at: z.string(),
})
export type SimulatedText = z.output<typeof simulatedText>
/** Messages of the inbox that were on the screen. */
export const markReadForm = z.object({
  message_ids: z
    .array(uuid('Message'), { error: 'Messages are not valid' })
    .min(1, 'Message is required')
    .max(1000, 'At most 1,000 messages'),
})
/** Which of a batch go out again; none named means all that may. */
export const sendAgainForm = z.object({
  message_ids: z
    .array(uuid('Message'), { error: 'Messages are not valid' })
    .min(1, 'Message is required')
    .max(10_000, 'At most 10,000 messages')
    .nullish(),
})
