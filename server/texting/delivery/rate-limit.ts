import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import type { FailureKind } from '../providers/provider.ts'
import { sendingRate } from '../tables.ts'

/** A server that polls late may make up for this much; more would be a burst. */
const CATCH_UP_MS = 100
/** Further ahead than any pause the next slot can only be because the database's clock was set back: it counts as free. */
const FURTHEST_AHEAD_MS = 120_000
/** Each second gives back a fifth of the configured rate. */
const RECOVERED_PER_SECOND = 0.2

/** The share of the configured rate that is allowed `sinceMs` after it was last lowered to `share`. */
export const currentShare = ({ share, sinceMs }: { share: number; sinceMs: number }): number =>
  Math.min(1, share + (RECOVERED_PER_SECOND * Math.max(0, sinceMs)) / 1000)

/** A rejected text takes one text a second off the rate, at most half of it: over a second, what remains is the share that the provider
 *  accepted. */
export const shareAfterRejection = (share: number, perSecond: number): number =>
  Math.max(share - 1 / perSecond, share / 2)

const millisecondsSince = (column: PgColumn) =>
  sql<number>`(extract(epoch from clock_timestamp() - ${column}) * 1000)::float8`

/** When the next slot is free. */
const nextAt = sql`case when ${sendingRate.next_at} > clock_timestamp() + ${FURTHEST_AHEAD_MS} * interval '1 millisecond'
  then clock_timestamp() else ${sendingRate.next_at} end`

type Slots = { slots: number; waitMs: number; perSecond: number }

/** Limits over all servers how many texts leave per second; its one row in the database is locked while texts are claimed. */
export const rateLimiter = {
  /** How many texts may leave now; other servers wait until the transaction ends. `perSecond` is the configured rate, and in the answer
   *  what the provider's rejections leave of it. */
  async acquire(tx: Tx, perSecond: number, limit: number): Promise<Slots> {
    const [rate] = await tx
      .select({
        lateMs: millisecondsSince(sendingRate.next_at),
        share: sendingRate.share,
        sinceMs: millisecondsSince(sendingRate.slowed_at),
      })
      .from(sendingRate)
      .for('update')
    const lateMs = rate!.lateMs < -FURTHEST_AHEAD_MS ? 0 : rate!.lateMs,
      allowedPerSecond = perSecond * currentShare(rate!)
    if (lateMs < 0) return { slots: 0, waitMs: -lateMs, perSecond: allowedPerSecond }
    const slots = Math.floor((Math.min(lateMs, CATCH_UP_MS) * allowedPerSecond) / 1000) + 1
    return { slots: Math.min(limit, slots), waitMs: 0, perSecond: allowedPerSecond }
  },

  /** Uses slots up; answers in how many milliseconds the next is free. */
  async consume(tx: Tx, perSecond: number, usedSlots: number): Promise<number> {
    const earliest = sql`clock_timestamp() - ${CATCH_UP_MS} * interval '1 millisecond'`
    const [rate] = await tx
      .update(sendingRate)
      .set({
        next_at: sql`greatest(${nextAt}, ${earliest}) + ${usedSlots / perSecond} * interval '1 second'`,
      })
      .returning({
        waitMs: sql<number>`(extract(epoch from next_at - clock_timestamp()) * 1000)::float8`,
      })
    return Math.max(0, rate!.waitMs)
  },

  /** The provider rejected a text as too fast: all servers send a little slower. */
  async slowDown(tx: Tx, perSecond: number): Promise<void> {
    const [rate] = await tx
      .select({ share: sendingRate.share, sinceMs: millisecondsSince(sendingRate.slowed_at) })
      .from(sendingRate)
      .for('update')
    await tx.update(sendingRate).set({
      share: shareAfterRejection(currentShare(rate!), perSecond),
      slowed_at: sql`clock_timestamp()`,
    })
  },

  /** No server sends a text for so many seconds. */
  pause: (tx: Tx, seconds: number) =>
    tx.update(sendingRate).set({
      next_at: sql`greatest(${nextAt}, clock_timestamp() + ${seconds} * interval '1 second')`,
    }),
}

const FAILURES_IN_A_ROW = 8
const PAUSE_SECONDS: Partial<Record<FailureKind, number>> = { unknown: 5, 'rate-limited': 1 }

/** Takes how each call failed, null where it did not; answers for how many seconds nothing more should be sent. */
export type CircuitBreaker = (failure: FailureKind | null) => number

/** Recognises a provider that is down or takes no more for now: whatever is sent to it would end up in doubt or rejected. */
export function circuitBreaker(): CircuitBreaker {
  let inARow = 0
  return (failure) => {
    const pauseSeconds = failure === null ? undefined : PAUSE_SECONDS[failure]
    inARow = pauseSeconds === undefined ? 0 : inARow + 1
    return inARow < FAILURES_IN_A_ROW ? 0 : pauseSeconds!
  }
}
