import { z } from 'zod'
import { oneOf, success, flag, uuid, month, clearable, multiLineText, year } from '../lib/fields.ts'
import { isFeeMessage, MESSAGE_TYPES, SKIP_REASONS } from './message-types.ts'
import { refuseIn } from './outgoing-text.ts'

/** The longest text that a phone company accepts as one. */
export const TEXT_MAX = 1600
const NO_WORDS = 'Please enter a message for the special announcement.'
const NO_CLASS = 'Please select at least one class to send the message to.'

const MAX_STUDENTS = 1000
/** `{amount}` is what is due for the month, or the whole balance. */
const AMOUNTS_OF = ['month', 'balance'] as const

const message = {
  custom_message: multiLineText('Message', TEXT_MAX),
  selected_classes: z.array(uuid('Class'), { error: 'Class is not valid' }).max(1000).nullish(),
  selected_month: month.nullish(),
  selected_year: year.nullish(),
  exclude_paid_students: flag('Exclude paid students').nullish(),
  /** Only these students. Somebody who has promised to pay later gets the message too. */
  selected_students: z
    .array(uuid('Student'), { error: 'Student is not valid' })
    .min(1, 'At least one student')
    .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
    .nullish(),
  /** With `balance`, students who owe nothing get no message. Default `month`. */
  amount_of: oneOf('Amount', AMOUNTS_OF).nullish(),
}
const special = z.object({
  ...message,
  message_type: z.literal('special_announcement'),
  custom_message: z.preprocess((text) => text ?? '', multiLineText('Message', TEXT_MAX, NO_WORDS)),
  selected_classes: z.array(uuid('Class'), { error: NO_CLASS }).min(1, NO_CLASS).max(1000),
})
const otherMessage = z.object({
  ...message,
  message_type: oneOf('Message type', MESSAGE_TYPES).exclude(['special_announcement']),
})
export const bulkMessage = z
  .discriminatedUnion('message_type', [special, otherMessage], {
    error: 'Message type is not valid',
  })
  .superRefine(({ message_type, custom_message }, context) => {
    const substitutions = isFeeMessage(message_type) ? 'name-and-amount' : 'name'
    refuseIn(substitutions, ['custom_message'])(custom_message, context)
  })
export type BulkMessage = z.output<typeof bulkMessage>

/** For a preview, the message may still be empty. */
const unwritten = { custom_message: clearable(multiLineText('Message', TEXT_MAX)) }
export const bulkDraft = z.discriminatedUnion(
  'message_type',
  [special.extend(unwritten), otherMessage.extend(unwritten)],
  {
    error: 'Message type is not valid',
  },
)
export type BulkDraft = z.output<typeof bulkDraft>

const skipReason = z.enum(SKIP_REASONS)
export const person = { student_id: z.uuid(), name: z.string() }
const skippedStudent = z.object({ ...person, reason: skipReason })

/** The three counts are the same number, under each name that the specification uses. */
export const sentBulk = success.extend({
  success_count: z.number(),
  successful_sends: z.number(),
  total_recipients: z.number(),
  total_texts: z.number(),
  skipped: z.array(skippedStudent),
  batch_id: z.uuid(),
})
export type SentBulk = z.output<typeof sentBulk>

/** `texts` are the indexes of the texts about this student; `text` is the first of them. */
const previewedStudent = z.object({
  ...person,
  sends: z.boolean(),
  reason: skipReason.nullable(),
  text: z.string().nullable(),
  segments: z.number(),
  texts: z.array(z.number()),
  amount: z.number().nullable(),
  /** The day by which they will pay, if it is not past. */
  promised_on: z.string().optional(),
})

export const preview = z.object({
  students: z.array(previewedStudent),
  total_recipients: z.number(),
  total_texts: z.number(),
  total_segments: z.number(),
  remaining_messages: z.number(),
})
export type Preview = z.output<typeof preview>
