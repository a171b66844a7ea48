import { LRUCache } from 'lru-cache'
import { limitPerKey } from '../lib/limit-per-key.ts'
import { Refusal } from '../lib/refusal.ts'

/** An export holds a database connection until it is sent. The server has ten in total. */
const MAX_CONCURRENT = 3
const MAX_CONCURRENT_PER_DOJO = 2
const WAIT_MS = 5_000
const HOUR_MS = 3_600_000

const createBusyRefusal = () =>
  new Refusal(429, 'Other downloads are running. Please try again in a moment.', {
    retryAfterSeconds: 10,
  })
const createTooManyRefusal = () =>
  new Refusal(429, 'You have downloaded too many files. Please try again in an hour.', {
    retryAfterSeconds: HOUR_MS / 1000,
  })

/** Limits how many exports run at the same time, per server and per dojo, and how many exports an
 *  account can start per hour. */
export function createExportLimits(perHour: number) {
  const limitPerDojo = limitPerKey(MAX_CONCURRENT_PER_DOJO, WAIT_MS, createBusyRefusal)
  const limitForServer = limitPerKey(MAX_CONCURRENT, WAIT_MS, createBusyRefusal)
  const exportCounts = new LRUCache<string, number>({
    max: 100_000,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })
  return {
    /** Counts an export of an account. Throws 429 after `perHour` exports. */
    countExport(accountId: string) {
      const count = exportCounts.get(accountId) ?? 0
      if (count >= perHour) throw createTooManyRefusal()
      exportCounts.set(accountId, count + 1)
    },
    run: (dojoId: string, work: () => Promise<void>): Promise<void> =>
      limitPerDojo(dojoId, () => limitForServer('all', work)),
  }
}
