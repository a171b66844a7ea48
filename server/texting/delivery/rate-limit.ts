import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { shareAfterRefusal, shareNow } from './pace-share.ts'
import { sendingPace } from '../tables.ts'

/** A server that looks late may make up for this much; more would be a burst. */
const CATCH_UP_MS = 100

type Pace = { slots: number; waitMs: number; perSecond: number }

const millisecondsSince = (column: PgColumn) => sql<number>`(extract(epoch from clock_timestamp() - ${column}) * 1000)::float8`

/** How many texts may leave now, over all servers; held until the transaction ends, so that servers take turns. `perSecond` is the
 *  configured pace, and in the answer the one that the provider's refusals leave of it. */
export async function holdPace(tx: Tx, perSecond: number, most: number): Promise<Pace> {
  const [pace] = await tx
    .select({ lateMs: millisecondsSince(sendingPace.next_at), share: sendingPace.share, sinceMs: millisecondsSince(sendingPace.slowed_at) })
    .from(sendingPace)
    .for('update')
  const { lateMs } = pace!,
    allowed = perSecond * shareNow(pace!)
  if (lateMs < 0) return { slots: 0, waitMs: -lateMs, perSecond: allowed }
  const slots = Math.floor((Math.min(lateMs, CATCH_UP_MS) * allowed) / 1000) + 1
  return { slots: Math.min(most, slots), waitMs: 0, perSecond: allowed }
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

/** The provider refused a text as too fast: all servers send a little slower (pace-share.ts). */
export async function slowDown(tx: Tx, perSecond: number): Promise<void> {
  const [pace] = await tx
    .select({ share: sendingPace.share, sinceMs: millisecondsSince(sendingPace.slowed_at) })
    .from(sendingPace)
    .for('update')
  await tx.update(sendingPace).set({ share: shareAfterRefusal(shareNow(pace!), perSecond), slowed_at: sql`clock_timestamp()` })
}

/** No text leaves for a while, from whichever server. */
export const holdBack = (tx: Tx, seconds: number) =>
  tx.update(sendingPace).set({ next_at: sql`greatest(${sendingPace.next_at}, clock_timestamp() + ${seconds} * interval '1 second')` })
