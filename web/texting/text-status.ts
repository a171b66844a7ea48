import type { Counts, TextState, Batch } from '@tatami/contract/text-history'
import { serverTime } from '../lib/server-clock.ts'

/** What became of texts, as far as it matters to whoever sent them. */
export const FATE_WORDS = {
  delivered: 'Delivered',
  on_its_way: 'On the way',
  waiting: 'Waiting for tomorrow',
  failed: 'Failed',
  uncertain: 'Uncertain',
  skipped: 'Not sent to',
} as const
export type TextFate = keyof typeof FATE_WORDS

const FATE_OF: Record<TextState, TextFate> = {
  skipped: 'skipped',
  waiting: 'waiting',
  queued: 'on_its_way',
  sending: 'on_its_way',
  in_doubt: 'on_its_way',
  accepted: 'on_its_way',
  sent: 'on_its_way',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  uncertain: 'uncertain',
}
export const fateOf = (state: TextState): TextFate => FATE_OF[state]

/** How many met each fate, for those that somebody did. */
export function countedFates(counts: Counts): [TextFate, number][] {
  const { pending, waiting, sent, delivered, failed, uncertain, skipped } = counts
  const all: [TextFate, number][] = [
    ['delivered', delivered],
    ['on_its_way', pending - waiting + sent],
    ['waiting', waiting],
    ['failed', failed],
    ['uncertain', uncertain],
    ['skipped', skipped],
  ]
  return all.filter(([, count]) => count > 0)
}

/** "36 delivered" */
export const fateWords = (fate: TextFate, count: number): string => `${count} ${FATE_WORDS[fate].toLowerCase()}`

/** What needs the reader first comes first. */
export const BY_NEED: TextFate[] = ['failed', 'uncertain', 'waiting', 'on_its_way', 'skipped', 'delivered']

/** How many texts of a sending have left our queue; those that wait for tomorrow are not asked to. */
export function leftQueue({ total, waiting, queued }: Counts): { left: number; all: number } {
  const all = total - waiting
  return { left: all - queued, all }
}

const QUARTERS = 4

/** What is read out while a queue runs down: a word at every quarter rather than at every text. */
export function queueWords(name: string, counts: Counts): string {
  const { left, all } = leftQueue(counts)
  const quarters = all === 0 ? QUARTERS : Math.floor((QUARTERS * left) / all)
  return quarters === QUARTERS ? `${name}: all texts have left` : `${name}: ${(100 * quarters) / QUARTERS} % of ${all} texts have left`
}

export const WATCH_MS = 2000
/** How long one waits for the phone companies after the last news. */
const SETTLE_MS = 60_000

const isUnderWay = ({ pending, waiting }: Batch['counts']) => pending > waiting

/** How soon to ask again: every two seconds while something is under way, and for a minute after the last news of it. */
export function watchMs(batches: readonly Pick<Batch, 'counts' | 'updated_at'>[], now = serverTime(Date.now())): number | false {
  const settles = ({ counts, updated_at }: (typeof batches)[number]) => counts.sent > 0 && now - Date.parse(updated_at) < SETTLE_MS
  return batches.some((batch) => isUnderWay(batch.counts) || settles(batch)) && WATCH_MS
}
