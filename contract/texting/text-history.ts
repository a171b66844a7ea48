import { z } from 'zod'
import { uuid } from '../lib/fields.ts'
import { BATCH_KINDS } from './message-types.ts'

export const TEXT_STATES = [
  'skipped',
  'waiting',
  'queued',
  'sending',
  // A worker is asking the provider whether the text was sent.
  'in_doubt',
  'accepted',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  // The provider could not say whether the text was sent.
  'uncertain',
] as const
export type TextState = (typeof TEXT_STATES)[number]

/** `open` requests wait for an instructor, who then `ended` or `kept` the texts. */
export const STOP_REQUESTS = ['open', 'ended', 'kept'] as const
export type StopRequest = (typeof STOP_REQUESTS)[number]

/** `pending` counts all texts that have not reached the phone company, including `waiting` and
 *  `queued` texts. */
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
  /** Students whose families answered the cancellation with OK */
  acknowledged: z.number(),
})
export type Counts = z.output<typeof counts>
export const batch = z.object({
  id: z.uuid(),
  message_type: z.enum(BATCH_KINDS),
  text: z.string(),
  /** The sender. Null for automatic texts and for old texts. */
  sender_name: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  counts,
})
export type Batch = z.output<typeof batch>

export const batchText = z.object({
  id: z.uuid(),
  /** Students who share a text have the same `text_id`. */
  text_id: z.uuid(),
  /** Null if the phone belongs to no student. Then `name` is the phone number. */
  student_id: z.uuid().nullable(),
  name: z.string(),
  state: z.enum(TEXT_STATES),
  reason: z.string().nullable(),
  text: z.string().nullable(),
  phone_number: z.string().nullable(),
  /** The number to call. After a cancellation, it is set even for students who get no text. */
  call_phone: z.string().nullable(),
  updated_at: z.string(),
  may_send_again: z.boolean(),
  acknowledged_at: z.string().nullable(),
})
export type BatchText = z.output<typeof batchText>

export const KEYWORDS = ['stop', 'start', 'help'] as const
export type Keyword = (typeof KEYWORDS)[number]
export const incomingText = z.object({
  id: z.uuid(),
  student_id: z.uuid().nullable(),
  name: z.string().nullable(),
  phone_number: z.string(),
  text: z.string(),
  /** The keyword, if the text consists of one */
  wish: z.enum(KEYWORDS).nullable(),
  received_at: z.string(),
  read_at: z.string().nullable(),
})
export type IncomingText = z.output<typeof incomingText>

export const simulatedText = z.object({
  id: z.uuid(),
  student_id: z.uuid().nullable(),
  name: z.string(),
  students: z.array(z.object({ student_id: z.uuid(), name: z.string() })),
  phone_number: z.string(),
  text: z.string(),
  state: z.enum(TEXT_STATES),
  sent_at: z.string(),
})
export type SimulatedText = z.output<typeof simulatedText>
export const markReadForm = z.object({
  message_ids: z
    .array(uuid('Message'), { error: 'Messages are not valid' })
    .min(1, 'Message is required')
    .max(1000, 'At most 1,000 messages'),
})
export const sendAgainForm = z.object({
  message_ids: z
    .array(uuid('Message'), { error: 'Messages are not valid' })
    .min(1, 'Message is required')
    .max(10_000, 'At most 10,000 messages')
    .nullish(),
})
