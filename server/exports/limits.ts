import { LRUCache } from 'lru-cache'
import { limitPerKey } from '../lib/limit-per-key.ts'
import { Refusal } from '../lib/refusal.ts'

/** An export holds a connection for as long as its reader takes: of a server's ten, the others stay free for everybody else. */
const AT_ONCE = 3,
  AT_ONCE_PER_DOJO = 2,
  WAIT_MS = 5_000
const HOUR_MS = 3_600_000

const busy = () =>
  new Refusal(429, 'Other files are being made. Please try again in a moment.', {
    retryAfterSeconds: 10,
  })
const tooMany = () =>
  new Refusal(429, 'You have downloaded many files. Please try again in an hour.', {
    retryAfterSeconds: HOUR_MS / 1000,
  })

/** Lets exports begin: a few at a time, fewer of one dojo, and `perHour` for one account. */
export function createExportLimits(perHour: number) {
  const ofDojo = limitPerKey(AT_ONCE_PER_DOJO, WAIT_MS, busy)
  const ofServer = limitPerKey(AT_ONCE, WAIT_MS, busy)
  const exportCounts = new LRUCache<string, number>({
    max: 100_000,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })
  return {
    /** Counts one export of an account; 429 for too many. */
    count(accountId: string) {
      const count = exportCounts.get(accountId) ?? 0
      if (count >= perHour) throw tooMany()
      exportCounts.set(accountId, count + 1)
    },
    /** Runs an export from its beginning to its end, after waiting for a moment at most. */
    run: (dojoId: string, work: () => Promise<void>): Promise<void> =>
      ofDojo(dojoId, () => ofServer('all', work)),
  }
}
