import type { Counts, TextState, Batch } from '@tatami/contract/texting/text-history'
import { serverTime } from '../lib/server-clock.ts'

export const STATUS_LABELS = {
  delivered: 'Delivered',
  simulated: 'Delivered (test)',
  on_its_way: 'On the way',
  waiting: 'Waiting for tomorrow',
  failed: 'Failed',
  uncertain: 'Uncertain',
  skipped: 'Not sent',
} as const
export type DeliveryStatus = keyof typeof STATUS_LABELS

const STATUS_OF_STATE: Record<TextState, Exclude<DeliveryStatus, 'simulated'>> = {
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
export const toDeliveryStatus = (state: TextState) => STATUS_OF_STATE[state]

export const toDisplayedStatus = (status: DeliveryStatus, isTestMode: boolean): DeliveryStatus =>
  isTestMode && status === 'delivered' ? 'simulated' : status

export const SEND_AGAIN = 'Send again'

export function countByStatus(counts: Counts): [DeliveryStatus, number][] {
  const { pending, waiting, sent, delivered, failed, uncertain, skipped } = counts
  const statusTotals: [DeliveryStatus, number][] = [
    ['delivered', delivered],
    ['on_its_way', pending - waiting + sent],
    ['waiting', waiting],
    ['failed', failed],
    ['uncertain', uncertain],
    ['skipped', skipped],
  ]
  return statusTotals.filter(([, count]) => count > 0)
}

export const formatStatusCount = (status: DeliveryStatus, count: number): string =>
  `${count} ${STATUS_LABELS[status].toLowerCase()}`

export const STATUSES_BY_URGENCY: DeliveryStatus[] = [
  'failed',
  'uncertain',
  'waiting',
  'on_its_way',
  'skipped',
  'delivered',
  'simulated',
]

type QueueProgress = { sentCount: number; sendableCount: number }

/** Does not count the texts that wait for tomorrow because today's limit is reached. */
export function measureQueueProgress({ total, waiting, queued }: Counts): QueueProgress {
  const sendableCount = total - waiting
  return { sentCount: sendableCount - queued, sendableCount }
}

const ANNOUNCED_STEP_PERCENT = 25

export function announceQueueProgress(name: string, counts: Counts): string {
  const { sentCount, sendableCount } = measureQueueProgress(counts)
  if (sentCount === sendableCount) return `${name}: all texts sent`
  const percent = (100 * sentCount) / sendableCount
  const steps = Math.floor(percent / ANNOUNCED_STEP_PERCENT)
  return `${name}: ${steps * ANNOUNCED_STEP_PERCENT}% of ${sendableCount} texts sent`
}

export const ACTIVE_POLL_MS = 2000
/** Later delivery reports appear when the page loads again. */
const REPORT_WAIT_MS = 60_000

export const awaitsReport = (
  { state, at }: { state: TextState | null; at: string },
  nowMs = serverTime(Date.now()),
): boolean =>
  state !== null &&
  toDeliveryStatus(state) === 'on_its_way' &&
  nowMs - Date.parse(at) < REPORT_WAIT_MS

const isInProgress = ({ pending, waiting }: Batch['counts']) => pending > waiting

export function choosePollInterval(
  batches: readonly Pick<Batch, 'counts' | 'updated_at'>[],
  nowMs = serverTime(Date.now()),
): number | false {
  const mayGetReports = ({ counts, updated_at }: (typeof batches)[number]) =>
    counts.sent > 0 && nowMs - Date.parse(updated_at) < REPORT_WAIT_MS
  return (
    batches.some((batch) => isInProgress(batch.counts) || mayGetReports(batch)) && ACTIVE_POLL_MS
  )
}
