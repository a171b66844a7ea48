import { utcDay } from '@tatami/contract/lib/calendar-day'
import { type BatchKind, LIMIT_REACHED } from '@tatami/contract/texting/message-types'
import type { DailyUsage } from '@tatami/contract/texting/texting'
import { and, asc, eq, inArray, isNull, or, sql, sum } from 'drizzle-orm'
import { now, nowIso } from '../lib/clock.ts'
import { claimJobRun } from '../dojos/job-runs.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { TRANSITIONS } from './delivery/states.ts'
import { recordQueued } from './delivery/trail.ts'
import { students } from '../students/tables.ts'
import { readDailyLimit } from './settings.ts'
import {
  allowanceDays,
  allowanceEntries,
  messageBatches,
  messages,
  systemConfig,
  textId,
} from './tables.ts'

/** The allowance is the number of texts that a dojo may send on a UTC day. Further texts are refused
 *  or wait. */

const secondsUntilMidnight = () =>
  Math.ceil((Date.parse(`${utcDay(now())}T24:00:00Z`) - now().getTime()) / 1000)

async function countTextsUsedOn(tx: Tx, day: string): Promise<number> {
  const [usage] = await tx
    .select({ texts: sum(allowanceEntries.texts).mapWith(Number) })
    .from(allowanceEntries)
    .where(eq(allowanceEntries.day, day))
  return usage?.texts ?? 0
}

async function lockTodaysAllowance(tx: Tx): Promise<{ day: string; remaining: number }> {
  const day = utcDay(now())
  await tx.insert(allowanceDays).values({ day }).onConflictDoNothing()
  await tx.select().from(allowanceDays).where(eq(allowanceDays.day, day)).for('update')
  await tx.select().from(systemConfig).for('share')
  const limit = await readDailyLimit(tx)
  return { day, remaining: Math.max(0, limit - (await countTextsUsedOn(tx, day))) }
}

async function notifyAllowanceUsed(tx: Tx, dojoId: string, day: string): Promise<void> {
  if (await claimJobRun(tx, 'allowance-used-notice', day))
    await notifyStaff(tx, dojoId, 'texts.send', {
      title: 'Daily text limit reached',
      message: 'All of today’s texts are used. The limit resets at midnight UTC.',
    })
}

/** Deducts the texts from today's allowance, or throws 429 if too few remain. Returns the day. */
export async function takeAllowance(
  tx: Tx,
  dojoId: string,
  textCount: number,
  reason: string,
): Promise<string> {
  const { day, remaining } = await lockTodaysAllowance(tx)
  if (textCount > remaining) {
    const message =
      remaining === 0
        ? LIMIT_REACHED
        : `This message needs ${textCount} texts but only ${remaining} remain today.`
    throw new Refusal(429, message, { retryAfterSeconds: secondsUntilMidnight() })
  }
  if (textCount === 0) return day
  await tx.insert(allowanceEntries).values({ day, texts: textCount, reason })
  if (textCount === remaining) await notifyAllowanceUsed(tx, dojoId, day)
  return day
}

/** Deducts as many texts as today's allowance still has. Returns how many those are. */
export async function takeAvailableAllowance(
  tx: Tx,
  dojoId: string,
  textCount: number,
  reason: string,
): Promise<{ day: string; allowedCount: number }> {
  const { day, remaining } = await lockTodaysAllowance(tx)
  const allowedCount = Math.min(textCount, remaining)
  if (allowedCount === 0) return { day, allowedCount }
  await tx.insert(allowanceEntries).values({ day, texts: allowedCount, reason })
  if (allowedCount === remaining) await notifyAllowanceUsed(tx, dojoId, day)
  return { day, allowedCount }
}

/** Refunds a text that was never sent. `day` is null for automatic answers, which are free. */
export const refundAllowance = (tx: Tx, day: string | null, reason: string) =>
  day && tx.insert(allowanceEntries).values({ day, texts: -1, reason })

/** Deducts a refunded text again, because it was sent after all. */
export const chargeAllowance = (tx: Tx, day: string | null, reason: string) =>
  day && tx.insert(allowanceEntries).values({ day, texts: 1, reason })

export async function readUsageToday(tx: Tx): Promise<DailyUsage> {
  const date = utcDay(now())
  const message_count = await countTextsUsedOn(tx, date)
  const daily_limit = await readDailyLimit(tx)
  const remaining_messages = Math.max(0, daily_limit - message_count)
  return {
    date,
    message_count,
    daily_limit,
    remaining_messages,
    limit_reached: remaining_messages === 0,
  }
}

const MAX_TEXTS_PER_RUN = 10_000

export const findDojosWithWaitingTexts = (overseerTx: Tx, kinds: readonly BatchKind[]) =>
  overseerTx
    .selectDistinct({ dojo_id: messages.dojo_id })
    .from(messages)
    .innerJoin(
      messageBatches,
      and(eq(messageBatches.dojo_id, messages.dojo_id), eq(messageBatches.id, messages.batch_id)),
    )
    .where(and(eq(messages.state, 'waiting'), inArray(messageBatches.kind, [...kinds])))

/** Locks texts that wait for an allowance, the oldest first. A text to several students has a row
 *  for each of them, all with the same `text_id`. */
export async function lockWaitingTexts<Kind extends BatchKind>(tx: Tx, kinds: readonly Kind[]) {
  // Rows that another server has locked are skipped, so that each text is sent only once.
  const texts = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(
      and(
        eq(messages.state, 'waiting'),
        isNull(messages.sent_with),
        inArray(messageBatches.kind, [...kinds]),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(MAX_TEXTS_PER_RUN)
    .for('update', { of: messages, skipLocked: true })
  const ids = texts.map(({ id }) => id)
  return tx
    .select({
      id: messages.id,
      text_id: textId,
      batch_id: messages.batch_id,
      student_id: sql<string>`${messages.student_id}`,
      name: students.name,
      phone: messages.phone,
      kind: sql<Kind>`${messageBatches.kind}`,
      template: messageBatches.text,
      batch_created_at: messageBatches.created_at,
    })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .innerJoin(students, eq(students.id, messages.student_id))
    .where(or(equalsAny(messages.id, ids), equalsAny(messages.sent_with, ids)))
    .orderBy(asc(messages.id))
    .for('update', { of: messages })
}

/** Queues as many of these waiting texts as today's allowance permits. */
export async function admitTexts(
  tx: Tx,
  dojoId: string,
  texts: { id: string; batch_id: string; phone: string | null }[],
): Promise<void> {
  if (texts.length === 0) return
  const { day, allowedCount } = await takeAvailableAllowance(tx, dojoId, texts.length, 'waited')
  if (allowedCount === 0) return
  const admittedTexts = texts.slice(0, allowedCount)
  await tx.execute(sql`
    update messages set state = ${TRANSITIONS.admit.to}, phone = r.phone, allowance_day = ${day},
      due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(admittedTexts)}::jsonb) as r(id uuid, phone text)
    where messages.id = r.id and ${inArray(messages.state, [...TRANSITIONS.admit.from])}`)
  await enqueueDojo(tx, dojoId)
  for (const [batch, { length }] of Map.groupBy(admittedTexts, ({ batch_id }) => batch_id))
    recordQueued(tx, { dojo: dojoId, batch, texts: length })
}

export async function skipTexts(tx: Tx, texts: { id: string; reason: string }[]): Promise<void> {
  if (texts.length === 0) return
  await tx.execute(sql`
    update messages set state = ${TRANSITIONS.skip.to}, reason = r.reason, phone = null,
      text = null, updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, reason text)
    where messages.id = r.id and ${inArray(messages.state, [...TRANSITIONS.skip.from])}`)
}

export const admitWelcomeTexts = async (tx: Tx, dojoId: string): Promise<void> => {
  const rows = await lockWaitingTexts(tx, ['welcome'])
  // Only the first row of a text is sent.
  const firstRows = rows.filter(({ id, text_id }) => id === text_id)
  await admitTexts(tx, dojoId, firstRows)
}
