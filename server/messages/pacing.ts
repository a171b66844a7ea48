import { sql } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { sendingPace } from './tables.ts'

/** A server that looks late may make up for this much; more would be a burst. */
const CATCH_UP_MS = 100

type Pace = { slots: number; waitMs: number }

/** How many texts may leave now, over all servers; held until the transaction ends, so that servers take turns. */
export async function holdPace(tx: Tx, perSecond: number, most: number): Promise<Pace> {
  const late = sql<number>`(extract(epoch from clock_timestamp() - ${sendingPace.next_at}) * 1000)::float8`
  const [pace] = await tx.select({ lateMs: late }).from(sendingPace).for('update')
  const { lateMs } = pace!
  if (lateMs < 0) return { slots: 0, waitMs: -lateMs }
  return { slots: Math.min(most, Math.floor((Math.min(lateMs, CATCH_UP_MS) * perSecond) / 1000) + 1), waitMs: 0 }
}

/** The slots were used; answers how long until the next. */
export async function spendSlots(tx: Tx, perSecond: number, used: number): Promise<number> {
  const earliest = sql`clock_timestamp() - ${CATCH_UP_MS} * interval '1 millisecond'`
  const [pace] = await tx
    .update(sendingPace)
    .set({ next_at: sql`greatest(${sendingPace.next_at}, ${earliest}) + ${used / perSecond} * interval '1 second'` })
    .returning({ waitMs: sql<number>`(extract(epoch from next_at - clock_timestamp()) * 1000)::float8` })
  return Math.max(0, pace!.waitMs)
}

/** No text leaves for a while, from whichever server. */
export const holdBack = (tx: Tx, seconds: number) =>
  tx.update(sendingPace).set({ next_at: sql`greatest(${sendingPace.next_at}, clock_timestamp() + ${seconds} * interval '1 second')` })
