import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { firstRow } from '../../lib/rows.ts'
import type { FailureKind } from '../providers/provider.ts'
import { sendingRate } from '../tables.ts'

const CATCH_UP_MS = 100
/** A slot further ahead means that the database's clock was set back. */
const FURTHEST_AHEAD_MS = 120_000
const RECOVERED_PER_SECOND = 0.2

/** Recovers a fifth of the rate each second. */
export const currentShare = ({ share, sinceMs }: { share: number; sinceMs: number }): number =>
  Math.min(1, share + (RECOVERED_PER_SECOND * Math.max(0, sinceMs)) / 1000)

/** Takes one text per second off, at most half. */
export const shareAfterRejection = (share: number, perSecond: number): number =>
  Math.max(share - 1 / perSecond, share / 2)

const millisecondsSince = (column: PgColumn) =>
  sql<number>`(extract(epoch from clock_timestamp() - ${column}) * 1000)::float8`

const nextAt = sql`case
  when ${sendingRate.next_at}
    > clock_timestamp() + ${FURTHEST_AHEAD_MS} * interval '1 millisecond'
  then clock_timestamp() else ${sendingRate.next_at} end`

type Slots = { slots: number; waitMs: number; perSecond: number }

/** Other servers wait for the row until the commit. */
const lockRate = async (tx: Tx) =>
  firstRow(
    await tx
      .select({
        lateMs: millisecondsSince(sendingRate.next_at),
        share: sendingRate.share,
        sinceMs: millisecondsSince(sendingRate.slowed_at),
      })
      .from(sendingRate)
      .for('update'),
  )

/** Shared by all servers through one locked row. */
export const rateLimiter = {
  /** How many texts may leave now. The rate in the answer is lower after rejections. */
  async acquire(tx: Tx, perSecond: number, limit: number): Promise<Slots> {
    const rate = await lockRate(tx)
    const lateMs = rate.lateMs < -FURTHEST_AHEAD_MS ? 0 : rate.lateMs
    const allowedPerSecond = perSecond * currentShare(rate)
    if (lateMs < 0) return { slots: 0, waitMs: -lateMs, perSecond: allowedPerSecond }
    const slots = Math.floor((Math.min(lateMs, CATCH_UP_MS) * allowedPerSecond) / 1000) + 1
    return { slots: Math.min(limit, slots), waitMs: 0, perSecond: allowedPerSecond }
  },

  /** Returns the milliseconds until the next slot. */
  async consume(tx: Tx, perSecond: number, usedSlots: number): Promise<number> {
    const usedTime = sql`${usedSlots / perSecond} * interval '1 second'`
    const earliest = sql`clock_timestamp() - ${CATCH_UP_MS} * interval '1 millisecond'`
    const rates = await tx
      .update(sendingRate)
      .set({ next_at: sql`greatest(${nextAt}, ${earliest}) + ${usedTime}` })
      .returning({
        waitMs: sql<number>`(extract(epoch from next_at - clock_timestamp()) * 1000)::float8`,
      })
    return Math.max(0, firstRow(rates).waitMs)
  },

  /** The provider rejected a text as too fast: all servers send a little slower. */
  async slowDown(tx: Tx, perSecond: number): Promise<void> {
    const share = shareAfterRejection(currentShare(await lockRate(tx)), perSecond)
    await tx.update(sendingRate).set({ share, slowed_at: sql`clock_timestamp()` })
  },

  pause: (tx: Tx, seconds: number) =>
    tx.update(sendingRate).set({
      next_at: sql`greatest(${nextAt}, clock_timestamp() + ${seconds} * interval '1 second')`,
    }),
}

const FAILURES_IN_A_ROW = 8
const PAUSE_SECONDS: Partial<Record<FailureKind, number>> = { unknown: 5, 'rate-limited': 1 }

/** Takes each call's failure; returns for how many seconds to pause. */
export type CircuitBreaker = (failure: FailureKind | null) => number

/** Pauses when the provider is down or overloaded. */
export function circuitBreaker(): CircuitBreaker {
  let failuresInARow = 0
  return (failure) => {
    const pauseSeconds = (failure && PAUSE_SECONDS[failure]) ?? 0
    failuresInARow = pauseSeconds === 0 ? 0 : failuresInARow + 1
    return failuresInARow < FAILURES_IN_A_ROW ? 0 : pauseSeconds
  }
}
