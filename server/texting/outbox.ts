import type { BatchKind, SkipReason } from '@tatami/contract/message-types'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { takeAllowance, takeAvailableAllowance } from './allowance.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { TRANSITIONS } from './delivery/states.ts'
import { messageBatches, messages } from './tables.ts'

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

const WAITING_AT_ONCE = 10_000

/** The dojos, for the overseer, in which texts of these kinds wait for room. */
export const dojosWithWaiting = (over: Tx, kinds: readonly BatchKind[]) =>
  over
    .selectDistinct({ dojo_id: messages.dojo_id })
    .from(messages)
    .innerJoin(messageBatches, and(eq(messageBatches.dojo_id, messages.dojo_id), eq(messageBatches.id, messages.batch_id)))
    .where(and(eq(messages.state, 'waiting'), inArray(messageBatches.kind, [...kinds])))

/** Texts of these kinds that wait for room, the oldest first, locked until the transaction ends. */
export const lockWaiting = <K extends BatchKind>(tx: Tx, kinds: readonly K[]) =>
  // Texts that another server has locked are skipped, so that each text is admitted, and taken off the day, once.
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
    .limit(WAITING_AT_ONCE)
    .for('update', { of: messages, skipLocked: true })

/** Queues the first of these waiting texts, as many as today has room for, each to its phone. */
export async function admit(tx: Tx, dojoId: string, texts: { id: string; phone: string | null }[]): Promise<void> {
  if (texts.length === 0) return
  const { day, taken } = await takeAvailableAllowance(tx, dojoId, texts.length, 'waited')
  if (taken === 0) return
  await tx.execute(sql`update messages set state = ${TRANSITIONS.admit.to}, phone = r.phone, allowance_day = ${day}, due_at = clock_timestamp(), updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts.slice(0, taken))}::jsonb) as r(id uuid, phone text)
    where messages.id = r.id and ${inArray(messages.state, [...TRANSITIONS.admit.from])}`)
  await enqueueDojo(tx, dojoId)
}

/** Skips these waiting texts: their students should no longer get them. */
export async function skip(tx: Tx, texts: { id: string; reason: SkipReason }[]): Promise<void> {
  if (texts.length === 0) return
  await tx.execute(sql`update messages set state = ${TRANSITIONS.skip.to}, reason = r.reason, phone = null, text = null, updated_at = ${nowIso()}
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(id uuid, reason text)
    where messages.id = r.id and ${inArray(messages.state, [...TRANSITIONS.skip.from])}`)
}

/** Welcome texts go as soon as there is room; reminders keep their hour (reminders.ts). */
export const admitWelcomes = async (tx: Tx, dojoId: string): Promise<void> => admit(tx, dojoId, await lockWaiting(tx, ['welcome']))
