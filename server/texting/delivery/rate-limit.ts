import { mustExist } from '@tatami/contract/lib/must-exist'
import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { firstRow } from '../../lib/rows.ts'
import type { FailureKind } from '../providers/provider.ts'
import { sendingRate, textingAccounts } from '../tables.ts'

/** A slot lets one server send one text. When the provider rejects texts because they came too
 *  fast, the rate drops to a share of the configured rate, and then recovers. */

/** Unused slots expire after this time, so that there is no burst of texts after a pause. */
const MAX_CATCH_UP_MS = 100
/** If the next slot is further in the future than this, the database's clock was set back. */
const MAX_AHEAD_MS = 120_000
const SHARE_RECOVERED_PER_SECOND = 0.2

export const calculateCurrentShare = ({
  share,
  sinceSlowedMs,
}: {
  share: number
  sinceSlowedMs: number
}): number => Math.min(1, share + (SHARE_RECOVERED_PER_SECOND * Math.max(0, sinceSlowedMs)) / 1000)

/** A rejection lowers the rate by one text per second, but at most by half. */
export const calculateShareAfterRejection = (share: number, perSecond: number): number =>
  Math.max(share - 1 / perSecond, share / 2)

const millisecondsSince = (column: PgColumn) =>
  sql<number>`(extract(epoch from clock_timestamp() - ${column}) * 1000)::float8`

type RateTable = typeof sendingRate | typeof textingAccounts

/** The time of the next slot, or the present if the clock was set back. */
const correctedNextAt = ({ next_at }: RateTable) => sql`case
  when ${next_at}
    > clock_timestamp() + ${MAX_AHEAD_MS} * interval '1 millisecond'
  then clock_timestamp() else ${next_at} end`

type Slots = { slots: number; waitMs: number; allowedPerSecond: number }

/** Returns undefined if the account has just been deleted. */
async function lockRate(tx: Tx, table: RateTable) {
  const [rate] = await tx
    .select({
      sinceNextSlotMs: millisecondsSince(table.next_at),
      share: table.share,
      sinceSlowedMs: millisecondsSince(table.slowed_at),
    })
    .from(table)
    .for('update')
  return rate
}

const createRateLimiter = (table: RateTable) => ({
  async acquire(tx: Tx, perSecond: number, limit: number): Promise<Slots> {
    const rate = mustExist(await lockRate(tx, table), 'The rate')
    const wasClockSetBack = rate.sinceNextSlotMs < -MAX_AHEAD_MS
    const sinceNextSlotMs = wasClockSetBack ? 0 : rate.sinceNextSlotMs
    const allowedPerSecond = perSecond * calculateCurrentShare(rate)
    if (sinceNextSlotMs < 0) return { slots: 0, waitMs: -sinceNextSlotMs, allowedPerSecond }
    const catchUpMs = Math.min(sinceNextSlotMs, MAX_CATCH_UP_MS)
    const slots = Math.floor((catchUpMs * allowedPerSecond) / 1000) + 1
    return { slots: Math.min(limit, slots), waitMs: 0, allowedPerSecond }
  },

  /** Returns the milliseconds until the next slot. */
  async consume(tx: Tx, perSecond: number, usedSlots: number): Promise<number> {
    const usedTime = sql`${usedSlots / perSecond} * interval '1 second'`
    const earliestNextAt = sql`clock_timestamp() - ${MAX_CATCH_UP_MS} * interval '1 millisecond'`
    const rates = await tx
      .update(table)
      .set({ next_at: sql`greatest(${correctedNextAt(table)}, ${earliestNextAt}) + ${usedTime}` })
      .returning({
        waitMs: sql<number>`(extract(epoch from next_at - clock_timestamp()) * 1000)::float8`,
      })
    return Math.max(0, firstRow(rates).waitMs)
  },

  async slowDown(tx: Tx, perSecond: number): Promise<void> {
    const rate = await lockRate(tx, table)
    if (!rate) return
    const share = calculateShareAfterRejection(calculateCurrentShare(rate), perSecond)
    await tx.update(table).set({ share, slowed_at: sql`clock_timestamp()` })
  },

  pause: (tx: Tx, seconds: number) => {
    const pauseEnd = sql`clock_timestamp() + ${seconds} * interval '1 second'`
    return tx.update(table).set({ next_at: sql`greatest(${correctedNextAt(table)}, ${pauseEnd})` })
  },
})

/** The rate limiter of the server's account. */
export const rateLimiter = createRateLimiter(sendingRate)
/** The rate limiter of the dojo's own account. The dojo must have one. */
export const ownRateLimiter = createRateLimiter(textingAccounts)

const FAILURES_BEFORE_PAUSE = 8
const PAUSE_SECONDS: Partial<Record<FailureKind, number>> = { unknown: 5, 'rate-limited': 1 }

/** Must be called after each call to the provider, with the kind of failure or null. Returns for
 *  how many seconds to pause. */
export type CircuitBreaker = (failure: FailureKind | null) => number

/** Returns a pause after several failures in a row, because the provider is down or overloaded. */
export function createCircuitBreaker(): CircuitBreaker {
  let failuresInARow = 0
  return (failure) => {
    const pauseSeconds = (failure && PAUSE_SECONDS[failure]) ?? 0
    failuresInARow = pauseSeconds === 0 ? 0 : failuresInARow + 1
    return failuresInARow < FAILURES_BEFORE_PAUSE ? 0 : pauseSeconds
  }
}
