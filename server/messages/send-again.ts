import {
  isFeeMessage,
  REMINDERS,
  describeSkipReason,
  encodeSkipReason,
} from '@tatami/contract/texting/message-types'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { currentMonthOf, dojoById } from '../dojos/dojos.ts'
import { requireRight, type DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { takeAllowance } from '../texting/allowance.ts'
import { enqueueDojo } from '../texting/delivery/queue.ts'
import { TRANSITIONS } from '../texting/delivery/states.ts'
import { recordQueued } from '../texting/delivery/trail.ts'
import { FEE_KINDS } from '../texting/fee-texts.ts'
import { isConversationKind } from '../texting/history.ts'
import { createDestinationLookup, resolveRecipients } from './recipients.ts'
import { type Destination } from '../texting/destinations.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { withFeeLinks } from './fee-links.ts'
import { monthOfReminder, resolveReminderRecipients } from './reminders.ts'
import { readdressRows, regroupTexts } from '../texting/shared-texts.ts'
import { messageBatches, messages, textId } from '../texting/tables.ts'

/** Throws 429 and sends nothing if the day's allowance is too small for all the texts. */
export async function sendAgain(
  tx: Tx,
  caller: DojoCaller,
  batchId: string,
  messageIds: string[] | null | undefined,
) {
  const { dojoId } = caller
  const { batch, rows } = await lockTextsToSendAgain(tx, batchId, messageIds)
  if (FEE_KINDS.includes(batch.kind)) requireRight(caller.staff, 'money.see')
  const findDestination = await createDestinationFinder(tx, dojoId, batch, rows)
  const { rowsToSend, rowsToSkip } = readdressRows(rows, findDestination)
  const linkedRows = await withFeeLinks(tx, dojoId, batch.kind, rowsToSend)
  const texts = await regroupTexts(tx, linkedRows, rowsToSkip)
  await recordSkipReasons(
    tx,
    rowsToSkip.map((row) => ({ id: row.id, reason: describeSkipReason(encodeSkipReason(row)) })),
  )
  await queueAgain(tx, dojoId, batch, texts)
  await auditAction(tx, caller, 'texts sent again', {
    details: { kind: batch.kind, students: rowsToSend.length },
  })
  return { total_recipients: rowsToSend.length, total_texts: texts.length }
}

async function lockTextsToSendAgain(
  tx: Tx,
  batchId: string,
  messageIds: string[] | null | undefined,
) {
  const [batch] = await tx.select().from(messageBatches).where(eq(messageBatches.id, batchId))
  if (!batch) throw notFound('Message')
  const requestedTexts = tx
    .select({ id: textId })
    .from(messages)
    .where(equalsAny(messages.id, messageIds ?? []))
  const rows = await tx
    .select({
      id: messages.id,
      text_id: textId,
      batch_id: messages.batch_id,
      student_id: messages.student_id,
      name: sql<string>`coalesce(${students.name}, '')`,
      phone: messages.phone,
      amount: messages.amount,
    })
    .from(messages)
    .leftJoin(students, eq(students.id, messages.student_id))
    .where(
      and(
        eq(messages.batch_id, batchId),
        inArray(messages.state, [...TRANSITIONS.sendAgain.from]),
        messageIds ? inArray(textId, requestedTexts) : undefined,
      ),
    )
    .orderBy(asc(sql`lower(${students.name})`), asc(messages.id))
    .for('update', { of: messages })
  return { batch, rows: rows.map((row) => ({ ...row, template: batch.text })) }
}

type SentBatch = typeof messageBatches.$inferSelect

/** A reply goes to the same phone again. Other texts go to the student's current phones. */
async function createDestinationFinder(
  tx: Tx,
  dojoId: string,
  batch: SentBatch,
  rows: { student_id: string | null; phone: string | null }[],
) {
  if (isConversationKind(batch.kind)) {
    const phones = [...new Set(rows.flatMap(({ phone }) => phone ?? []))]
    const optedOutPhones = await findOptOuts(tx, phones)
    return (studentId: string): Destination => {
      const reachablePhones = rows.flatMap(({ student_id, phone }) =>
        (student_id ?? '') === studentId && phone && !optedOutPhones.has(phone) ? [phone] : [],
      )
      return reachablePhones.length > 0
        ? { phones: reachablePhones, reason: null }
        : { phones: [], reason: 'opted_out' }
    }
  }
  return createDestinationLookup(await resolveBatchRecipients(tx, dojoId, batch))
}

async function resolveBatchRecipients(tx: Tx, dojoId: string, { kind, created_at }: SentBatch) {
  const reminder = REMINDERS.find((reminderKind) => reminderKind === kind)
  if (reminder) {
    const { time_zone } = await dojoById(tx, dojoId)
    const month = monthOfReminder(reminder, todayIn(time_zone, new Date(created_at)))
    return resolveReminderRecipients(tx, dojoId, { reminder, month })
  }
  return resolveRecipients(tx, {
    topic: isFeeMessage(kind) ? 'dues' : 'classes',
    classIds: null,
    month: await currentMonthOf(tx, dojoId),
    excludeTrial: isFeeMessage(kind),
    excludePaid: false,
  })
}

/** Before an uncertain text goes to the same phone again, a worker asks the provider whether it was
 *  sent. */
async function queueAgain(
  tx: Tx,
  dojoId: string,
  { id: batchId, kind }: SentBatch,
  texts: { id: string; phone: string }[],
): Promise<void> {
  if (texts.length === 0) return
  const day =
    kind === 'auto_reply' ? null : await takeAllowance(tx, dojoId, texts.length, 'sent again')
  const [uncertainState] = TRANSITIONS.askAgain.from
  await tx.execute(sql`
    update messages m set
      state = case when m.state = ${uncertainState} and m.phone = r.phone
        then ${TRANSITIONS.askAgain.to} else ${TRANSITIONS.sendAgain.to} end,
      phone = r.phone, allowance_day = ${day}::date, reason = null, error_code = null,
      provider_id = null, claim = null, unanswered = 0,
      due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, phone text)
    where m.id = r.id`)
  await tx
    .update(messageBatches)
    .set({ failures_notified: false })
    .where(eq(messageBatches.id, batchId))
  await enqueueDojo(tx, dojoId)
  recordQueued(tx, { dojo: dojoId, batch: batchId, kind, texts: texts.length })
}

async function recordSkipReasons(tx: Tx, texts: { id: string; reason: string }[]): Promise<void> {
  await tx.execute(sql`
    update messages m set reason = r.reason
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, reason text)
    where m.id = r.id`)
}
