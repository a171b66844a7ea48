import type { BatchKind, SkipReason } from '@tatami/contract/message-types'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { takeWhatFits } from './allowance.ts'
import { messageBatches, messages } from './tables.ts'
import { lineUp } from './delivery/queue.ts'

const AT_ONCE = 10_000

/** The dojos, for the overseer, in which texts of these kinds wait for room. */
export const dojosWithWaiting = (over: Tx, kinds: readonly BatchKind[]) =>
  over
    .selectDistinct({ dojo_id: messages.dojo_id })
    .from(messages)
    .innerJoin(messageBatches, and(eq(messageBatches.dojo_id, messages.dojo_id), eq(messageBatches.id, messages.batch_id)))
    .where(and(eq(messages.state, 'waiting'), inArray(messageBatches.kind, [...kinds])))

/** Texts of these kinds that wait for a day with room, the oldest first, held until the transaction ends. */
export const holdWaiting = <K extends BatchKind>(tx: Tx, kinds: readonly K[]) =>
  // Skipped where another server holds them: each text is let go, and taken off the day, once.
  tx
    .select({
      id: messages.id,
      student_id: messages.student_id,
      phone: messages.phone,
      kind: sql<K>`${messageBatches.kind}`,
      since: messageBatches.created_at,
    })
    .from(messages)
    .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id))
    .where(and(eq(messages.state, 'waiting'), inArray(messageBatches.kind, [...kinds])))
    .orderBy(asc(messages.id))
    .limit(AT_ONCE)
    .for('update', { of: messages, skipLocked: true })

/** Lets go the first of these texts, as many as today has room for, each to its phone. */
export async function admit(tx: Tx, dojoId: string, texts: { id: string; phone: string | null }[]): Promise<void> {
  if (texts.length === 0) return
  const { day, taken } = await takeWhatFits(tx, dojoId, texts.length, 'waited')
  if (taken === 0) return
  await tx.execute(sql`update messages set state = 'queued', phone = r.phone, allowance_day = ${day}, due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts.slice(0, taken))}::jsonb) as r(id uuid, phone text) where messages.id = r.id`)
  await lineUp(tx, dojoId)
}

/** These texts do not go after all. */
export async function passOver(tx: Tx, texts: { id: string; reason: SkipReason }[]): Promise<void> {
  if (texts.length === 0) return
  await tx.execute(sql`update messages set state = 'skipped', reason = r.reason, phone = null, text = null, updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, reason text) where messages.id = r.id`)
}

/** Welcomes go as soon as there is room; reminders keep their hour (announcements/waiting-reminders.ts). */
export const admitWelcomes = async (tx: Tx, dojoId: string): Promise<void> => admit(tx, dojoId, await holdWaiting(tx, ['welcome']))
