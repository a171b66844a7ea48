import { count, gt } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { DAY_MS, now } from '../lib/clock.ts'
import { IDLE_DAYS } from './sessions.ts'
import { sessions } from './tables.ts'

/** How many sessions of all accounts have not expired. Reads the whole table, so it is not for calls. */
export async function countLiveSessions(tx: Tx): Promise<number> {
  const since = new Date(now().getTime() - IDLE_DAYS * DAY_MS).toISOString()
  const [found] = await tx
    .select({ live: count() })
    .from(sessions)
    .where(gt(sessions.last_used_at, since))
  return found!.live
}
