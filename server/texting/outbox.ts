import type { BatchKind, SkipReason } from '@tatami/contract/message-types'
import { sql } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { takeWhatFits, takeWhole } from './allowance.ts'
import { messageBatches } from './tables.ts'
import { lineUp } from './delivery/queue.ts'

/** A text for a student, as it will read. */
type TextTo = { student_id: string; phone: string; text: string }
type Passed = { student_id: string; reason: SkipReason }
/** The texts, and who of those asked for gets none, kept so that the instructor sees why. */
export type Sending = { kind: BatchKind; text: string; texts: TextTo[]; skipped?: Passed[] }

/** Queues the texts, all or none; 429 when the day's allowance has no room for them. Nothing leaves before the transaction holds. */
export async function queueTexts(tx: Tx, dojoId: string, sending: Sending): Promise<string> {
  const day = await takeWhole(tx, dojoId, sending.texts.length, sending.kind)
  return write(tx, dojoId, sending, day, sending.texts.length)
}

/** Queues those for which there is room today; the others wait for the next UTC day. */
export async function queueOrWait(tx: Tx, dojoId: string, sending: Sending): Promise<string> {
  const { day, taken } = await takeWhatFits(tx, dojoId, sending.texts.length, sending.kind)
  return write(tx, dojoId, sending, day, taken)
}

async function write(
  tx: Tx,
  dojoId: string,
  { kind, text, texts, skipped = [] }: Sending,
  allowance_day: string,
  room: number,
): Promise<string> {
  const batch_id = newId(),
    now = nowIso()
  await tx.insert(messageBatches).values({ id: batch_id, kind, text })
  const queued = texts.map((one, index) => ({
    ...one,
    id: newId(),
    ...(index < room ? { state: 'queued', allowance_day } : { state: 'waiting' }),
  }))
  const rows = [...queued, ...skipped.map((one) => ({ ...one, id: newId(), state: 'skipped' }))]
  // One statement and one parameter, however many thousand there are.
  await tx.execute(sql`insert into messages (id, batch_id, student_id, phone, text, state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, state, reason, allowance_day, case state when 'queued' then clock_timestamp() end, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, student_id uuid, phone text, text text, state text, reason text, allowance_day date)`)
  if (room > 0) await lineUp(tx, dojoId)
  return batch_id
}
