import { asc, eq, inArray, sql } from 'drizzle-orm'
import { nowIso } from '../kernel/clock.ts'
import type { Tx } from '../kernel/database.ts'
import { takeWhatFits } from './allowance.ts'
import { messages } from './tables.ts'
import { lineUp } from './turns.ts'

const AT_ONCE = 10_000

/** Lets go, the oldest first, as many of the texts that waited for a new day as today has room for. */
export async function admitWaiting(tx: Tx, dojoId: string): Promise<void> {
  // Skipped where another server holds them: each text is let go, and taken off the day, once.
  const waiting = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.state, 'waiting'))
    .orderBy(asc(messages.id))
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  if (waiting.length === 0) return
  const { day, taken } = await takeWhatFits(tx, dojoId, waiting.length, 'waited')
  if (taken === 0) return
  await tx
    .update(messages)
    .set({ state: 'queued', allowance_day: day, due_at: sql`clock_timestamp()`, updated_at: nowIso() })
    .where(
      inArray(
        messages.id,
        waiting.slice(0, taken).map(({ id }) => id),
      ),
    )
  await lineUp(tx, dojoId)
}
