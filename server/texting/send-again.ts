import { type BatchKind, isFeeMessage, REMINDERS, SKIP_REASON_LABELS } from '@tatami/contract/message-types'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojoById, currentMonthOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { takeAllowance } from './allowance.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { TRANSITIONS } from './delivery/states.ts'
import { type Recipient, resolveRecipients } from './recipients.ts'
import { monthOfReminder, resolveReminderRecipients } from './reminders.ts'
import { messageBatches, messages } from './tables.ts'

/**
 * Sends the failed and uncertain texts of a batch again, all of them or those named; all or none, off today's allowance. The recipients
 * are resolved anew: each text goes to the student's current phone, and not to students who should not get such a message any more.
 * Answers how many texts are sent.
 */
export async function sendAgain(tx: Tx, dojoId: string, batchId: string, ids: string[] | null | undefined): Promise<number> {
  const { batch, texts } = await lockForSendAgain(tx, batchId, ids)
  const recipients = new Map((await recipientsOf(tx, dojoId, batch)).map((recipient) => [recipient.id, recipient]))
  const sent: { id: string; phone: string }[] = [],
    skipped: { id: string; reason: string }[] = []
  for (const { id, student_id } of texts) {
    const { phone, reason } = recipients.get(student_id)!
    if (phone === null) skipped.push({ id, reason: SKIP_REASON_LABELS[reason] })
    else sent.push({ id, phone })
  }
  await recordSkipped(tx, skipped)
  await queueAgain(tx, dojoId, batchId, sent)
  return sent.length
}

async function lockForSendAgain(tx: Tx, batchId: string, ids: string[] | null | undefined) {
  const [batch] = await tx.select().from(messageBatches).where(eq(messageBatches.id, batchId))
  if (!batch) throw notFound('Message')
  const texts = await tx
    .select({ id: messages.id, student_id: messages.student_id })
    .from(messages)
    .where(
      and(
        eq(messages.batch_id, batchId),
        inArray(messages.state, [...TRANSITIONS.sendAgain.from]),
        ids ? inArray(messages.id, ids) : undefined,
      ),
    )
    .for('update')
  return { batch, texts }
}

async function recipientsOf(tx: Tx, dojoId: string, { kind, created_at }: { kind: BatchKind; created_at: string }): Promise<Recipient[]> {
  const reminder = REMINDERS.find((one) => one === kind)
  if (reminder)
    return resolveReminderRecipients(tx, monthOfReminder(reminder, (await dojoById(tx, dojoId)).time_zone, new Date(created_at)))
  return resolveRecipients(tx, {
    classIds: null,
    month: await currentMonthOf(tx, dojoId),
    excludeTrial: isFeeMessage(kind),
    excludePaid: false,
  })
}

/** The provider is asked before an uncertain text goes to the same phone again: it may know by now. */
async function queueAgain(tx: Tx, dojoId: string, batchId: string, texts: { id: string; phone: string }[]): Promise<void> {
  if (texts.length === 0) return
  const day = await takeAllowance(tx, dojoId, texts.length, 'sent again')
  const { askAgain, sendAgain: toQueue } = TRANSITIONS
  await tx.execute(sql`
    update messages m set state = case when m.state = ${askAgain.from[0]} and m.phone = r.phone then ${askAgain.to} else ${toQueue.to} end,
      phone = r.phone, allowance_day = ${day}, reason = null, error_code = null, provider_id = null, claim = null,
      unanswered = 0, due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, phone text) where m.id = r.id`)
  await tx.update(messageBatches).set({ failures_notified: false }).where(eq(messageBatches.id, batchId))
  await enqueueDojo(tx, dojoId)
}

/** Replaces the reason of failed texts by the reason why they are not sent again. */
async function recordSkipped(tx: Tx, texts: { id: string; reason: string }[]): Promise<void> {
  await tx.execute(sql`update messages m set reason = r.reason
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, reason text) where m.id = r.id`)
}
