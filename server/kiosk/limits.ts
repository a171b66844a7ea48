import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { kiosks } from './tables.ts'

/** Of one kiosk in a minute. A queue at the door types fewer names, and whoever tries PINs finds none of 10,000. */
const MAX = { searches: 40, wrong_pins: 10 } as const
const WORDS = {
  searches: 'Too many searches. Please wait a minute.',
  wrong_pins: 'Too many wrong PINs. Please wait a minute.',
} as const
type Counted = keyof typeof MAX
const MINUTE_MS = 60_000

const secondsLeft = (since: string) => Math.max(1, Math.ceil((Date.parse(since) + MINUTE_MS - now().getTime()) / 1000))

/** Locks the kiosk's counters; 429 once there were too many in this minute. */
export async function requireLeft(tx: Tx, kioskId: string, what: Counted): Promise<void> {
  const [counters] = await tx
    .select({ since: kiosks.counted_since, searches: kiosks.searches, wrong_pins: kiosks.wrong_pins })
    .from(kiosks)
    .where(eq(kiosks.id, kioskId))
    .for('update')
  const { since } = counters!
  const isThisMinute = since !== null && now().getTime() - Date.parse(since) < MINUTE_MS
  if (isThisMinute && counters![what] >= MAX[what]) throw new Refusal(429, WORDS[what], { retryAfterSeconds: secondsLeft(since) })
}

export async function count(tx: Tx, kioskId: string, what: Counted): Promise<void> {
  const minuteAgo = new Date(now().getTime() - MINUTE_MS).toISOString()
  const goesOn = sql`${kiosks.counted_since} > ${minuteAgo}::timestamptz`
  const counted = (name: Counted) => sql`case when ${goesOn} then ${kiosks[name]} else 0 end + ${name === what ? 1 : 0}`
  await tx
    .update(kiosks)
    .set({
      counted_since: sql`case when ${goesOn} then ${kiosks.counted_since} else ${nowIso()}::timestamptz end`,
      searches: counted('searches'),
      wrong_pins: counted('wrong_pins'),
    })
    .where(eq(kiosks.id, kioskId))
}
