import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { kiosks } from './tables.ts'

/** Per minute and kiosk. A queue at the door needs fewer. */
const MAX = { searches: 40, wrong_pins: 10 } as const
/** Per minute for all kiosks of a dojo, so that several kiosks allow no more guesses. */
const MAX_OF_DOJO = { searches: Infinity, wrong_pins: 20 } as const
const WORDS = {
  searches: 'Too many searches. Please wait a minute.',
  wrong_pins: 'Too many wrong PINs. Please wait a minute.',
} as const
type Counter = keyof typeof MAX
const MINUTE_MS = 60_000

const secondsLeft = (countedSince: string) =>
  Math.max(1, Math.ceil((Date.parse(countedSince) + MINUTE_MS - now().getTime()) / 1000))

/** Locks the kiosk's counters. 429 once there were too many in this minute. */
export async function requireLeft(tx: Tx, kioskId: string, counter: Counter): Promise<void> {
  const [counters] = await tx
    .select({
      since: kiosks.counted_since,
      searches: kiosks.searches,
      wrong_pins: kiosks.wrong_pins,
    })
    .from(kiosks)
    .where(eq(kiosks.id, kioskId))
    .for('update')
  const { since } = counters!
  const isThisMinute = since !== null && now().getTime() - Date.parse(since) < MINUTE_MS
  const ownCount = isThisMinute ? counters![counter] : 0
  if (isThisMinute && ownCount >= MAX[counter])
    throw new Refusal(429, WORDS[counter], { retryAfterSeconds: secondsLeft(since) })
  if (ownCount + (await countedByOthers(tx, kioskId, counter)) >= MAX_OF_DOJO[counter])
    throw new Refusal(429, WORDS[counter], { retryAfterSeconds: 60 })
}

async function countedByOthers(tx: Tx, kioskId: string, counter: Counter): Promise<number> {
  if (MAX_OF_DOJO[counter] === Infinity) return 0
  const [otherKiosks] = await tx
    .select({ total: sql<number>`coalesce(sum(${kiosks[counter]}), 0)::int` })
    .from(kiosks)
    .where(and(ne(kiosks.id, kioskId), gt(kiosks.counted_since, minuteAgo())))
  return otherKiosks!.total
}

const minuteAgo = () => new Date(now().getTime() - MINUTE_MS).toISOString()

export async function count(tx: Tx, kioskId: string, counter: Counter): Promise<void> {
  const isSameMinute = sql`${kiosks.counted_since} > ${minuteAgo()}::timestamptz`
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
