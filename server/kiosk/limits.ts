import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { kiosks } from './tables.ts'

/** Limits per minute. Even a long line of students at a kiosk needs less. */
const MAX_PER_KIOSK = { searches: 40, wrong_pins: 10 } as const
/** Limits per minute for all kiosks of a dojo together, so that more kiosks do not allow more
 *  guesses. */
const MAX_PER_DOJO = { searches: Infinity, wrong_pins: 20 } as const
const MESSAGES = {
  searches: 'Too many searches. Please wait a minute.',
  wrong_pins: 'Too many wrong PINs. Please wait a minute.',
} as const
type Counter = keyof typeof MAX_PER_KIOSK
const MINUTE_MS = 60_000

const countSecondsLeft = (countStartedAt: string) =>
  Math.max(1, Math.ceil((Date.parse(countStartedAt) + MINUTE_MS - now().getTime()) / 1000))

/** Throws 429 if the kiosk or its dojo has reached the limit of this minute. Locks the counters. */
export async function requireBelowLimit(tx: Tx, kioskId: string, counter: Counter): Promise<void> {
  const rows = await tx
    .select({
      since: kiosks.counted_since,
      searches: kiosks.searches,
      wrong_pins: kiosks.wrong_pins,
    })
    .from(kiosks)
    .where(eq(kiosks.id, kioskId))
    .for('update')
  const { since, ...counts } = firstRow(rows)
  const isThisMinute = since !== null && now().getTime() - Date.parse(since) < MINUTE_MS
  const ownCount = isThisMinute ? counts[counter] : 0
  if (isThisMinute && ownCount >= MAX_PER_KIOSK[counter])
    throw new Refusal(429, MESSAGES[counter], { retryAfterSeconds: countSecondsLeft(since) })
  if (ownCount + (await countAtOtherKiosks(tx, kioskId, counter)) >= MAX_PER_DOJO[counter])
    throw new Refusal(429, MESSAGES[counter], { retryAfterSeconds: 60 })
}

async function countAtOtherKiosks(tx: Tx, kioskId: string, counter: Counter): Promise<number> {
  if (MAX_PER_DOJO[counter] === Infinity) return 0
  const rows = await tx
    .select({ total: sql<number>`coalesce(sum(${kiosks[counter]}), 0)::int` })
    .from(kiosks)
    .where(and(ne(kiosks.id, kioskId), gt(kiosks.counted_since, oneMinuteAgo())))
  return firstRow(rows).total
}

const oneMinuteAgo = () => new Date(now().getTime() - MINUTE_MS).toISOString()

export async function increaseCount(tx: Tx, kioskId: string, counter: Counter): Promise<void> {
  const isSameMinute = sql`${kiosks.counted_since} > ${oneMinuteAgo()}::timestamptz`
  const nextCount = (name: Counter) =>
    sql`case when ${isSameMinute} then ${kiosks[name]} else 0 end + ${name === counter ? 1 : 0}`
  await tx
    .update(kiosks)
    .set({
      counted_since: sql`case when ${isSameMinute} then ${kiosks.counted_since}
        else ${nowIso()}::timestamptz end`,
      searches: nextCount('searches'),
      wrong_pins: nextCount('wrong_pins'),
    })
    .where(eq(kiosks.id, kioskId))
}
