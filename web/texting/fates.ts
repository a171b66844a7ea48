import type { Counts, TextState } from '@tatami/contract/text-history'

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
