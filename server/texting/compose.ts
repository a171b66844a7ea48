import { monthOfDate } from '@tatami/contract/calendar-day'
import {
  AMOUNT,
  ANNOUNCEMENT_HEADINGS,
  type BatchKind,
  isFeeMessage,
  type SkipReason,
  storedSkipReason,
  WELCOME_TEXT,
} from '@tatami/contract/message-types'
import type { BulkDraft, BulkMessage, Preview, SentBulk } from '@tatami/contract/bulk-message'
import { segmentsOf } from '@tatami/contract/segments'
import { sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { todayOf } from '../dojos/dojos.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { SUCCESS, type Member } from '../http/serve.ts'
import { takeAllowance, takeAvailableAllowance, usageToday } from './allowance.ts'
import { announce } from '../announcements/announcements.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { recordQueued } from './delivery/trail.ts'
import { amountsLeft, feeAmounts } from '../prices/amounts.ts'
import { phonesOfStudents } from './phones.ts'
import {
  type Audience,
  getsNotice,
  listUndeliverable,
  optedOutAmong,
  type Recipient,
  resolveRecipients,
} from './recipients.ts'
import { welcomeEnabled } from './settings.ts'
import { composeTexts, rowsOfText, type SharedText } from './shared-texts.ts'
import { messageBatches } from './tables.ts'

/** What students owe over all months, by id and in dollars. The app hands it in: payments know of texts, not texts of payments. */
export type OwedAmounts = (tx: Tx, dojoId: string) => Promise<ReadonlyMap<string, number>>

async function audienceOf(
  tx: Tx,
  dojoId: string,
  message: BulkDraft,
  owedAmounts: OwedAmounts,
): Promise<Audience> {
  const today = await todayOf(tx, dojoId),
    current = monthOfDate(today),
    studentIds = message.selected_students ?? null,
    isAboutFees = isFeeMessage(message.message_type),
    month = {
      month: message.selected_month ?? current.month,
      year: message.selected_year ?? current.year,
    }
  const excludePaid = message.exclude_paid_students ?? false
  const amountsOfMessage = () => {
    if (message.amount_of === 'balance') return owedAmounts(tx, dojoId)
    return excludePaid ? amountsLeft(tx, dojoId, month) : feeAmounts(tx, dojoId, month)
  }
  return {
    topic: isAboutFees ? 'dues' : 'classes',
    studentIds,
    ...(isAboutFees && {
      promises: { today, areExcluded: studentIds === null },
      amounts: await amountsOfMessage(),
    }),
    classIds: message.selected_classes?.length ? message.selected_classes : null,
    month,
    excludeTrial: isAboutFees,
    excludePaid,
  }
}

type Composed = Required<Pick<NewBatch, 'kind' | 'text' | 'texts' | 'skipped'>> &
  Pick<SentBulk, 'skipped' | 'total_recipients'>

/** What is to pay for each student, by id and in dollars; nobody's where the message is not about fees. */
const NO_AMOUNTS: ReadonlyMap<string, number> = new Map()

/** One text for each phone, about all its students, and the others with their reason. Refused (422) where names make a text too long. */
export function composeBatch(
  kind: BatchKind,
  template: string,
  recipients: Recipient[],
  amounts = NO_AMOUNTS,
): Composed {
  const parts = recipients.flatMap(({ id, name, phones }) =>
    phones.map((phone) => ({ student_id: id, name, phone, amount: amounts.get(id) })),
  )
  const skipped = recipients.flatMap(({ id, name, reason, promised_on = null }) =>
    reason === null ? [] : [{ student_id: id, name, reason, promised_on }],
  )
  const total_recipients = recipients.length - skipped.length
  return { kind, text: template, texts: composeTexts(template, parts), skipped, total_recipients }
}

/** Queues the texts for all recipients, or none, and announces the same in the app. */
export async function sendBulkMessage(
  tx: Tx,
  caller: Member,
  message: BulkMessage,
  owedAmounts: OwedAmounts,
): Promise<SentBulk> {
  const { message_type, custom_message } = message
  const audience = await audienceOf(tx, caller.dojoId, message, owedAmounts)
  const recipients = await resolveRecipients(tx, audience)
  const { amounts: allAmounts = NO_AMOUNTS } = audience
  const amounts = custom_message.includes(AMOUNT) ? allAmounts : NO_AMOUNTS
  const batch = composeBatch(message_type, custom_message, recipients, amounts)
  const batch_id = await queueBatch(tx, caller.dojoId, {
    ...batch,
    skipped: batch.skipped.filter(({ reason }) => reason !== 'not_in_class'),
  })
  const readers = recipients
    .filter(getsNotice)
    .map(({ id, name }) => ({ id, name, amount: amounts.get(id) }))
  await announce(
    tx,
    caller,
    { ...ANNOUNCEMENT_HEADINGS[message_type], content: custom_message },
    readers,
    recipients.filter(({ reason }) => reason !== 'not_in_class'),
  )
  const { total_recipients: count, skipped } = batch
  await auditAct(tx, caller, 'texts sent', { details: { kind: message_type, students: count } })
  return {
    ...SUCCESS,
    success_count: count,
    successful_sends: count,
    total_recipients: count,
    total_texts: batch.texts.length,
    skipped,
    batch_id,
  }
}

/** What sending this template would do, student by student, without sending anything. */
export async function previewBatch(
  tx: Tx,
  kind: BatchKind,
  template: string,
  recipients: Recipient[],
  amounts = NO_AMOUNTS,
): Promise<Preview> {
  const { texts, total_recipients } = composeBatch(kind, template, recipients, amounts)
  const numbersOf = new Map<string, number[]>()
  for (const [number, text] of texts.entries())
    for (const student of text.students)
      numbersOf.set(student.id, [...(numbersOf.get(student.id) ?? []), number])
  const segments = texts.map(({ text }) => segmentsOf(text).segments)
  const students = recipients.map(({ id, name, reason, promised_on = null }) => {
    const numbers = numbersOf.get(id) ?? [],
      [first] = numbers
    return {
      student_id: id,
      name,
      sends: first !== undefined,
      reason,
      text: first === undefined ? null : texts[first]!.text,
      segments: first === undefined ? 0 : segments[first]!,
      texts: numbers,
      amount: amounts.get(id) ?? null,
      ...(promised_on !== null && { promised_on }),
    }
  })
  const { remaining_messages } = await usageToday(tx)
  return {
    students,
    total_recipients,
    total_texts: texts.length,
    total_segments: segments.reduce((sum, one) => sum + one, 0),
    remaining_messages,
  }
}

export async function previewBulkMessage(
  tx: Tx,
  dojoId: string,
  message: BulkDraft,
  owedAmounts: OwedAmounts,
): Promise<Preview> {
  const audience = await audienceOf(tx, dojoId, message, owedAmounts)
  const recipients = await resolveRecipients(tx, audience)
  return previewBatch(
    tx,
    message.message_type,
    message.custom_message ?? '',
    recipients,
    audience.amounts,
  )
}

type Named = { id: string; name: string }

/** Sends a welcome text about a new student, where the dojo has switched that on and a phone can get texts. */
export async function welcomeStudent(tx: Tx, dojoId: string, student: Named): Promise<void> {
  if (!(await welcomeEnabled(tx))) return
  const parts = await partsAbout(tx, [student])
  if (parts.length === 0) return
  await queueBatchOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: composeTexts(WELCOME_TEXT, parts),
  })
}

/** The phones that get texts about these students and their classes, also while somebody is on vacation. */
async function partsAbout(tx: Tx, students: Named[]) {
  const phonesOf = await phonesOfStudents(tx, 'classes', pluck(students, 'id'))
  const optedOut = await optedOutAmong(
    tx,
    [...phonesOf.values()].flat().map(({ phone }) => phone),
  )
  const undeliverable = await listUndeliverable(tx)
  return students.flatMap(({ id, name }) =>
    (phonesOf.get(id) ?? [])
      .filter(({ phone }) => !optedOut.has(phone) && !undeliverable.has(`${id} ${phone}`))
      .map(({ phone }) => ({ student_id: id, name, phone })),
  )
}

/** Texts just these students, who wait for it, and answers those whom it reaches; null where the day's texts do not suffice, and none goes out. */
export async function textUnlessFull(
  tx: Tx,
  dojoId: string,
  { kind, text, students }: { kind: BatchKind; text: string; students: Named[] },
): Promise<string[] | null> {
  const parts = await partsAbout(tx, students)
  const texts = composeTexts(text, parts)
  if (texts.length > (await usageToday(tx)).remaining_messages) return null
  if (texts.length > 0) await queueBatch(tx, dojoId, { kind, text, texts })
  return pluck(parts, 'student_id')
}

type SkippedStudent = { student_id: string; reason: SkipReason; promised_on?: string | null }
/** A message with its texts, and the students who get none, so that the instructor sees why. `sender_name` is who wrote a reply. */
type NewBatch = {
  kind: BatchKind
  text: string
  sender_name?: string
  texts: SharedText[]
  skipped?: SkippedStudent[]
}

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

/** Queues texts that no allowance is asked for: the automatic answers to commands. */
export const queueFreeBatch = (tx: Tx, dojoId: string, batch: NewBatch): Promise<string> =>
  insertBatch(tx, dojoId, batch, null, batch.texts.length)

/** The first `room` texts are queued, the others wait. */
async function insertBatch(
  tx: Tx,
  dojoId: string,
  batch: NewBatch,
  allowance_day: string | null,
  room: number,
): Promise<string> {
  const { kind, text, sender_name, texts, skipped = [] } = batch
  const batch_id = newId(),
    now = nowIso()
  await tx.insert(messageBatches).values({ id: batch_id, kind, text, sender_name })
  const queued = texts.flatMap((one, index) => {
    const state = index < room ? 'queued' : 'waiting'
    return rowsOfText(one).map((row) => ({ ...row, state }))
  })
  const rows = [
    ...queued,
    ...skipped.map((one) => ({
      id: newId(),
      student_id: one.student_id,
      reason: storedSkipReason(one),
      is_shared: false,
      state: 'skipped',
    })),
  ]
  // One statement and one parameter, however many thousand rows there are.
  await tx.execute(sql`insert into messages (id, batch_id, student_id, phone, text, amount, sent_with, is_shared, state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, amount, sent_with, is_shared, state, reason,
      case when state = 'queued' and sent_with is null then ${allowance_day}::date end,
      case when state = 'queued' and sent_with is null then clock_timestamp() end, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, student_id uuid, phone text, text text, amount bigint, sent_with uuid, is_shared boolean, state text, reason text)`)
  if (room > 0) await enqueueDojo(tx, dojoId)
  recordQueued(tx, {
    dojo: dojoId,
    batch: batch_id,
    kind,
    texts: room,
    waiting: texts.length - room,
    skipped: skipped.length,
  })
  return batch_id
}
