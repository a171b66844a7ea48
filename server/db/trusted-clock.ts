import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import { now } from '../lib/clock.ts'
import { firstRow } from '../lib/rows.ts'
import type { Database, Tx } from './database.ts'

const MAX_DIFFERENCE_MS = 5 * 60_000
/** If the clocks last agreed longer ago, the operator must confirm them (npm run confirm-clock). */
const MAX_CLOCK_GAP_MS = 7 * DAY_MS
const STORE_EVERY_MS = 10 * 60_000

type ClockVerdict =
  | { trusted: true }
  | { trusted: false; reason: 'differs' | 'jumped'; byMs: number }

/** Times in milliseconds since 1970. `lastSeen` is when the clocks last agreed. */
type Clocks = { database: number; server: number; lastSeen: number | null }

/** Trusts the server's clock if it agrees with the database's clock and has not jumped since they
 *  last agreed. */
export function judgeClocks({ database, server, lastSeen }: Clocks): ClockVerdict {
  const differenceMs = server - database
  if (Math.abs(differenceMs) > MAX_DIFFERENCE_MS)
    return { trusted: false, reason: 'differs', byMs: differenceMs }
  const pauseMs = lastSeen === null ? 0 : server - lastSeen
  if (pauseMs > MAX_CLOCK_GAP_MS) return { trusted: false, reason: 'jumped', byMs: pauseMs }
  return { trusted: true }
}

export async function checkClocks(tx: Tx): Promise<ClockVerdict> {
  const { rows } = await tx.execute<{ database: number; last_seen: number | null }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as database,
      extract(epoch from clock_seen_at)::float8 * 1000 as last_seen from system_config`,
  )
  const { database, last_seen: lastSeen } = firstRow(rows)
  const server = now().getTime()
  const verdict = judgeClocks({ database, server, lastSeen })
  const isStale = lastSeen === null || Math.abs(server - lastSeen) > STORE_EVERY_MS
  if (verdict.trusted && isStale)
    await tx.execute(
      sql`update system_config set clock_seen_at = ${new Date(server).toISOString()}`,
    )
  return verdict
}

export type ClockLog = { paused: (verdict: ClockVerdict) => void; resumed: () => void }

/** Pauses `work` while the clock may be wrong, because early charges and reminders could not be
 *  undone. */
export function whileClocksAgree(
  db: Database,
  log: ClockLog,
  work: () => Promise<void>,
): () => Promise<void> {
  let isPaused = false
  return async () => {
    const verdict = await db.withoutDojo(checkClocks)
    if (!verdict.trusted) {
      if (!isPaused) log.paused(verdict)
      isPaused = true
      return
    }
    if (isPaused) log.resumed()
    isPaused = false
    await work()
  }
}
