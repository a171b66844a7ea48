import { z } from 'zod'
import { oneOf, success, flag, uuid, month, clearable, multiLineText, year } from '../lib/fields.ts'
import { isFeeMessage, MESSAGE_TYPES, SKIP_REASONS } from './message-types.ts'
import { refusePlaceholders } from './outgoing-text.ts'
import { MONEY_RIGHTS, hiddenWithout } from '../rights.ts'

/** The longest message that phone companies accept as a single text. */
export const TEXT_MAX = 1600
const MESSAGE_MISSING = 'Please enter a message for the special announcement.'
const CLASS_MISSING = 'Please select at least one class to send the message to.'

const MAX_CLASSES = 1000
const MAX_STUDENTS = 1000

/** The meaning of `{amount}`: the amount due for the month, or the whole balance. */
const AMOUNT_OPTIONS = ['month', 'balance'] as const

/** The field that confirms a message to more people than staff may text without a confirmation.
 *  Without it, the server returns 409. */
export const EVEN_TO_MANY = 'even_to_many'

const messageFields = {
  custom_message: multiLineText('Message', TEXT_MAX),
  selected_classes: z
    .array(uuid('Class'), { error: 'Class is not valid' })
    .max(MAX_CLASSES)
    .nullish(),
  selected_month: month.nullish(),
  selected_year: year.nullish(),
  exclude_paid_students: flag('Exclude paid students').nullish(),
  /** Text only these students, even if they promised to pay later. */
  selected_students: z
    .array(uuid('Student'), { error: 'Student is not valid' })
    .min(1, 'At least one student')
    .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
    .nullish(),
  [EVEN_TO_MANY]: flag('Even to many').nullish(),
  /** With `balance`, students who owe nothing get no message. Default `month`. */
  amount_of: oneOf('Amount', AMOUNT_OPTIONS).nullish(),
}
const specialAnnouncement = z.object({
  ...messageFields,
  message_type: z.literal('special_announcement'),
  custom_message: z.preprocess(
    (text) => text ?? '',
    multiLineText('Message', TEXT_MAX, MESSAGE_MISSING),
  ),
  selected_classes: z
    .array(uuid('Class'), { error: CLASS_MISSING })
    .min(1, CLASS_MISSING)
    .max(MAX_CLASSES),
})
const otherMessage = z.object({
  ...messageFields,
  message_type: oneOf('Message type', MESSAGE_TYPES).exclude(['special_announcement']),
})
export const bulkMessage = z
  .discriminatedUnion('message_type', [specialAnnouncement, otherMessage], {
    error: 'Message type is not valid',
  })
  .superRefine(({ message_type, custom_message }, context) => {
    const substitutions = isFeeMessage(message_type) ? 'name-and-amount' : 'name'
    refusePlaceholders(substitutions, ['custom_message'])(custom_message, context)
  })
export type BulkMessage = z.output<typeof bulkMessage>

/** In a preview, the message may still be empty. */
const draftMessage = { custom_message: clearable(multiLineText('Message', TEXT_MAX)) }
export const bulkDraft = z.discriminatedUnion(
  'message_type',
  [specialAnnouncement.extend(draftMessage), otherMessage.extend(draftMessage)],
  { error: 'Message type is not valid' },
)
export type BulkDraft = z.output<typeof bulkDraft>

const skipReason = z.enum(SKIP_REASONS)
export const personFields = { student_id: z.uuid(), name: z.string() }
const skippedStudent = z.object({ ...personFields, reason: skipReason })

/** The first three counts are always equal: the specification has three names for this number. */
export const sentBulk = success.extend({
  success_count: z.number(),
  successful_sends: z.number(),
  total_recipients: z.number(),
  total_texts: z.number(),
  skipped: z.array(skippedStudent),
  batch_id: z.uuid(),
})
export type SentBulk = z.output<typeof sentBulk>

const previewedStudent = z.object({
  ...personFields,
  /** True if the student gets a text. Otherwise `reason` says why not. */
  sends: z.boolean(),
  reason: skipReason.nullable(),
  text: z.string().nullable(),
  segments: z.number(),
  /** Numbers of the texts that go to the student. Students with the same phone share one. */
  texts: z.array(z.number()),
  amount: hiddenWithout(MONEY_RIGHTS, z.number().nullable(), null),
  /** The day by which the student promised to pay, unless that day is over. */
  promised_on: hiddenWithout(MONEY_RIGHTS, z.string().optional(), undefined),
})

export const preview = z.object({
  students: z.array(previewedStudent),
  total_recipients: z.number(),
  total_texts: z.number(),
  total_segments: z.number(),
  remaining_messages: z.number(),
})
export type Preview = z.output<typeof preview>
