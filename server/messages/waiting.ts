import { asc, count, eq, inArray, sql } from 'drizzle-orm'
import { nowIso } from '../kernel/clock.ts'
import type { Tx } from '../kernel/database.ts'
import { takeWhatFits } from './allowance.ts'
import { TEXTS_QUEUED } from './outbox.ts'
import { messages } from './tables.ts'

/** Lets go, the oldest first, as many of the texts that waited for a new day as today has room for. */
export async function admitWaiting(tx: Tx, dojoId: string): Promise<void> {
  const isWaiting = eq(messages.state, 'waiting')
  const [waiting] = await tx.select({ n: count() }).from(messages).where(isWaiting)
  if (waiting!.n === 0) return
  const { day, taken } = await takeWhatFits(tx, dojoId, waiting!.n, 'waited')
  if (taken === 0) return
  const first = tx.select({ id: messages.id }).from(messages).where(isWaiting).orderBy(asc(messages.id)).limit(taken)
  await tx.update(messages).set({ state: 'queued', allowance_day: day, due_at: sql`clock_timestamp()`, updated_at: nowIso() }).where(inArray(messages.id, first))
  await tx.tell(TEXTS_QUEUED, dojoId)
}
