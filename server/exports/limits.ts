import { LRUCache } from 'lru-cache'
import { limitPerKey } from '../lib/limit-per-key.ts'
import { Refusal } from '../lib/refusal.ts'

/** An export holds a connection while it is read. The server has ten for everybody. */
const AT_ONCE = 3
const AT_ONCE_PER_DOJO = 2
const WAIT_MS = 5_000
const HOUR_MS = 3_600_000

const busy = () =>
  new Refusal(429, 'Other files are being made. Please try again in a moment.', {
    retryAfterSeconds: 10,
  })
const tooMany = () =>
  new Refusal(429, 'You have downloaded many files. Please try again in an hour.', {
    retryAfterSeconds: HOUR_MS / 1000,
  })

/** Allows a few exports at once, fewer per dojo, and `perHour` per account. */
export function createExportLimits(perHour: number) {
  const ofDojo = limitPerKey(AT_ONCE_PER_DOJO, WAIT_MS, busy)
  const ofServer = limitPerKey(AT_ONCE, WAIT_MS, busy)
  const exportCounts = new LRUCache<string, number>({
    max: 100_000,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })
  return {
    /** 429 for too many. */
    count(accountId: string) {
      const count = exportCounts.get(accountId) ?? 0
      if (count >= perHour) throw tooMany()
      exportCounts.set(accountId, count + 1)
    },
    run: (dojoId: string, work: () => Promise<void>): Promise<void> =>
      ofDojo(dojoId, () => ofServer('all', work)),
  }
}
