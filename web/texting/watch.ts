import type { Batch } from '@tatami/contract/text-history'
import { serverTime } from '../lib/server-clock.ts'

export const WATCH_MS = 2000
/** How long one waits for the phone companies after the last news. */
const SETTLE_MS = 60_000

const isUnderWay = ({ pending, waiting }: Batch['counts']) => pending > waiting

/** How soon to ask again: every two seconds while something is under way, and for a minute after the last news of it. */
export function watchMs(batches: readonly Pick<Batch, 'counts' | 'updated_at'>[], now = serverTime(Date.now())): number | false {
  const settles = ({ counts, updated_at }: (typeof batches)[number]) => counts.sent > 0 && now - Date.parse(updated_at) < SETTLE_MS
  return batches.some((batch) => isUnderWay(batch.counts) || settles(batch)) && WATCH_MS
}
