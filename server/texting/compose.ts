import { ANNOUNCEMENT_HEADINGS, type BatchKind, isFeeMessage, fillTemplate } from '@tatami/contract/message-types'
import { type BulkDraft, type BulkMessage, type Preview, type SentBulk, TEXT_MAX } from '@tatami/contract/bulk-message'
import { segmentsOf } from '@tatami/contract/segments'
import { currentMonthOf } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { SUCCESS, type Member } from '../http/serve.ts'
import { usageToday } from './allowance.ts'
import { queueTexts, type Sending } from './outbox.ts'
import { announce } from '../announcements/announcements.ts'
import { isMeantFor, type Meant, weighStudents, type Weighed } from './recipients.ts'

async function meantBy(tx: Tx, dojoId: string, message: BulkDraft): Promise<Meant> {
  const current = await currentMonthOf(tx, dojoId)
  return {
    classIds: message.selected_classes && message.selected_classes.length > 0 ? message.selected_classes : null,
    month: { month: message.selected_month ?? current.month, year: message.selected_year ?? current.year },
    withoutTrial: isFeeMessage(message.message_type),
    withoutPaid: message.exclude_paid_students ?? false,
  }
}

/** The texts of those who get one, and why the others do not. Refused where a name makes the text longer than one can be. */
export function sendingOf(kind: BatchKind, text: string, weighed: Weighed[]): Required<Sending> & Pick<SentBulk, 'skipped'> {
  const texts = weighed.flatMap(({ id, name, phone }) =>
    phone === null ? [] : [{ student_id: id, phone, text: fillTemplate(text, name) }],
  )
  const longest = texts.reduce((most, one) => Math.max(most, one.text.length), 0)
  if (longest > TEXT_MAX) throw tooLong(longest - TEXT_MAX)
  const skipped = weighed.flatMap(({ id, name, reason }) => (reason === null ? [] : [{ student_id: id, name, reason }]))
  return { kind, text, texts, skipped }
}

function tooLong(by: number): Refusal {
  const message = `With the names in it, the message is up to ${by} characters too long`
  return new Refusal(422, message, { errors: [{ field: 'custom_message', message }] })
}

/** Queues a text for everyone meant, all or none, and says the same in the app. */
export async function sendBulkMessage(tx: Tx, caller: Member, message: BulkMessage): Promise<SentBulk> {
  const { message_type, custom_message } = message
  const weighed = await weighStudents(tx, await meantBy(tx, caller.dojoId, message))
  const sending = sendingOf(message_type, custom_message, weighed)
  const batch_id = await queueTexts(tx, caller.dojoId, {
    ...sending,
    skipped: sending.skipped.filter(({ reason }) => reason !== 'not_in_class'),
  })
  await announce(
    tx,
    caller,
    { ...ANNOUNCEMENT_HEADINGS[message_type], content: custom_message },
    weighed.filter(isMeantFor).map(({ id }) => id),
  )
  const count = sending.texts.length
  return { ...SUCCESS, success_count: count, successful_sends: count, total_recipients: count, skipped: sending.skipped, batch_id }
}

/** What sending these words would do, student by student, without doing it. */
export async function previewOf(tx: Tx, kind: BatchKind, words: string, weighed: Weighed[]): Promise<Preview> {
  const { texts } = sendingOf(kind, words, weighed)
  const textOf = new Map(texts.map(({ student_id, text }) => [student_id, text]))
  const students = weighed.map(({ id, name, reason }) => {
    const text = textOf.get(id) ?? null
    return { student_id: id, name, sends: text !== null, reason, text, segments: text === null ? 0 : segmentsOf(text).segments }
  })
  const { remaining_messages } = await usageToday(tx)
  return {
    students,
    total_recipients: texts.length,
    total_segments: students.reduce((sum, { segments }) => sum + segments, 0),
    remaining_messages,
  }
}

export async function previewBulkMessage(tx: Tx, dojoId: string, message: BulkDraft): Promise<Preview> {
  return previewOf(tx, message.message_type, message.custom_message ?? '', await weighStudents(tx, await meantBy(tx, dojoId, message)))
}
