import {
  ANNOUNCEMENT_HEADINGS,
  type BatchKind,
  fillTemplate,
  isFeeMessage,
  type SkipReason,
  WELCOME_TEXT,
} from '@tatami/contract/message-types'
import { type BulkDraft, type BulkMessage, type Preview, type SentBulk, TEXT_MAX } from '@tatami/contract/bulk-message'
import { segmentsOf } from '@tatami/contract/segments'
import { sql } from 'drizzle-orm'
import { currentMonthOf } from '../dojos/dojos.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { Refusal } from '../lib/refusal.ts'
import { SUCCESS, type Member } from '../http/serve.ts'
import { takeAllowance, takeAvailableAllowance, usageToday } from './allowance.ts'
import { announce } from '../announcements/announcements.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { type Audience, getsNotice, optedOutAmong, type Recipient, resolveRecipients } from './recipients.ts'
import { welcomeEnabled } from './settings.ts'
import { messageBatches } from './tables.ts'

async function audienceOf(tx: Tx, dojoId: string, message: BulkDraft): Promise<Audience> {
  const current = await currentMonthOf(tx, dojoId)
  return {
    classIds: message.selected_classes && message.selected_classes.length > 0 ? message.selected_classes : null,
    month: { month: message.selected_month ?? current.month, year: message.selected_year ?? current.year },
    excludeTrial: isFeeMessage(message.message_type),
    excludePaid: message.exclude_paid_students ?? false,
  }
}

/** Fills the template for each recipient, and lists the others with their reason. Refused (422) where a name makes a text too long. */
export function composeBatch(kind: BatchKind, template: string, recipients: Recipient[]): Required<NewBatch> & Pick<SentBulk, 'skipped'> {
  const texts = recipients.flatMap(({ id, name, phone }) =>
    phone === null ? [] : [{ student_id: id, phone, text: fillTemplate(template, name) }],
  )
  const longest = texts.reduce((most, one) => Math.max(most, one.text.length), 0)
  if (longest > TEXT_MAX) throw tooLong(longest - TEXT_MAX)
  const skipped = recipients.flatMap(({ id, name, reason }) => (reason === null ? [] : [{ student_id: id, name, reason }]))
  return { kind, text: template, texts, skipped }
}

function tooLong(by: number): Refusal {
  const message = `With the names in it, the message is up to ${by} characters too long`
  return new Refusal(422, message, { errors: [{ field: 'custom_message', message }] })
}

/** Queues a text for each recipient, all or none, and announces the same in the app. */
export async function sendBulkMessage(tx: Tx, caller: Member, message: BulkMessage): Promise<SentBulk> {
  const { message_type, custom_message } = message
  const recipients = await resolveRecipients(tx, await audienceOf(tx, caller.dojoId, message))
  const batch = composeBatch(message_type, custom_message, recipients)
  const batch_id = await queueBatch(tx, caller.dojoId, {
    ...batch,
    skipped: batch.skipped.filter(({ reason }) => reason !== 'not_in_class'),
  })
  await announce(tx, caller, { ...ANNOUNCEMENT_HEADINGS[message_type], content: custom_message }, recipients.filter(getsNotice))
  const count = batch.texts.length
  return { ...SUCCESS, success_count: count, successful_sends: count, total_recipients: count, skipped: batch.skipped, batch_id }
}

/** What sending this template would do, student by student, without sending anything. */
export async function previewBatch(tx: Tx, kind: BatchKind, template: string, recipients: Recipient[]): Promise<Preview> {
  const { texts } = composeBatch(kind, template, recipients)
  const textOf = new Map(texts.map(({ student_id, text }) => [student_id, text]))
  const students = recipients.map(({ id, name, reason }) => {
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
  return previewBatch(
    tx,
    message.message_type,
    message.custom_message ?? '',
    await resolveRecipients(tx, await audienceOf(tx, dojoId, message)),
  )
}

/** Sends a welcome text to a new student, where the dojo has switched that on and the phone can get texts. */
export async function welcomeStudent(
  tx: Tx,
  dojoId: string,
  student: { id: string; name: string; phone_number: string | null },
): Promise<void> {
  if (!(await welcomeEnabled(tx))) return
  const phone = validPhone(student.phone_number)
  if (!phone || (await optedOutAmong(tx, [phone])).has(phone)) return
  await queueBatchOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: [{ student_id: student.id, phone, text: fillTemplate(WELCOME_TEXT, student.name) }],
  })
}

type StudentText = { student_id: string; phone: string; text: string }
type SkippedStudent = { student_id: string; reason: SkipReason }
/** A message with the text of each student, and the students who get none, so that the instructor sees why. */
export type NewBatch = { kind: BatchKind; text: string; texts: StudentText[]; skipped?: SkippedStudent[] }

/** Queues all texts, or none and answers 429 when the day's allowance has no room for them. Nothing leaves before the transaction
 *  commits. */
export async function queueBatch(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const day = await takeAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, batch.texts.length)
}

/** Queues the texts for which there is room today; the others wait for the next UTC day. */
export async function queueBatchOrWait(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const { day, taken } = await takeAvailableAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, taken)
}

async function insertBatch(
  tx: Tx,
  dojoId: string,
  { kind, text, texts, skipped = [] }: NewBatch,
  allowance_day: string,
  room: number,
): Promise<string> {
  const batch_id = newId(),
    now = nowIso()
  await tx.insert(messageBatches).values({ id: batch_id, kind, text })
  const queued = texts.map((one, index) => ({
    ...one,
    id: newId(),
    state: index < room ? 'queued' : 'waiting',
  }))
  const rows = [...queued, ...skipped.map((one) => ({ ...one, id: newId(), state: 'skipped' }))]
  // One statement and one parameter, however many thousand rows there are.
  await tx.execute(sql`insert into messages (id, batch_id, student_id, phone, text, state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, state, reason, case state when 'queued' then ${allowance_day}::date end,
      case state when 'queued' then clock_timestamp() end, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, student_id uuid, phone text, text text, state text, reason text)`)
  if (room > 0) await enqueueDojo(tx, dojoId)
  return batch_id
}
