import { TEXT_STATES, type TextState } from '@tatami/contract/texting/text-history'
import { expect, test } from 'vitest'
import {
  STATUSES_BY_URGENCY,
  countByStatus,
  STATUS_LABELS,
  toDeliveryStatus,
  formatStatusCount,
  measureQueueProgress,
  announceQueueProgress,
  awaitsReport,
  choosePollInterval,
} from './text-status.ts'

test('gives every text state a status, and every status a label and a position', () => {
  expect(TEXT_STATES.map(toDeliveryStatus)).not.toContain(undefined)
  expect(STATUSES_BY_URGENCY.toSorted()).toEqual(Object.keys(STATUS_LABELS).toSorted())
})

test('counts the texts of each status, and texts that wait for tomorrow separately', () => {
  const counts = {
    total: 12,
    pending: 5,
    waiting: 2,
    queued: 3,
    sent: 1,
    delivered: 4,
    failed: 1,
    uncertain: 1,
    skipped: 3,
    acknowledged: 0,
  }
  const labels = [
    '4 delivered',
    '4 on the way',
    '2 waiting for tomorrow',
    '1 failed',
    '1 uncertain',
    '3 not sent',
  ]
  expect(countByStatus(counts).map(([status, count]) => formatStatusCount(status, count))).toEqual(
    labels,
  )
})

const NO_COUNTS = {
  total: 0,
  pending: 0,
  waiting: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  acknowledged: 0,
}
type Queue = { total: number; queued: number; waiting?: number }
const createQueue = ({ total, queued, waiting = 0 }: Queue) => ({
  ...NO_COUNTS,
  total,
  pending: queued + waiting,
  waiting,
  queued,
  delivered: total - queued - waiting,
})

test('does not count texts that wait for tomorrow in the progress of a queue', () => {
  expect([
    measureQueueProgress(createQueue({ total: 40, queued: 28 })),
    measureQueueProgress(createQueue({ total: 40, queued: 0, waiting: 10 })),
  ]).toEqual([
    { sentCount: 12, sendableCount: 40 },
    { sentCount: 30, sendableCount: 30 },
  ])
})

test('announces each quarter of a queue, and when all texts are sent', () => {
  expect(
    announceQueueProgress('Weather Cancellation', createQueue({ total: 40, queued: 28 })),
  ).toBe('Weather Cancellation: 25% of 40 texts sent')
  expect(
    announceQueueProgress('Weather Cancellation', createQueue({ total: 40, queued: 40 })),
  ).toBe('Weather Cancellation: 0% of 40 texts sent')
  const waitingQueue = createQueue({ total: 3, queued: 0, waiting: 3 })
  expect(announceQueueProgress('Pre Due', waitingQueue)).toBe('Pre Due: all texts sent')
})

const NOON = Date.parse('2026-03-01T12:00:00Z')
const createBatch = (counts: object) => ({
  counts: { ...NO_COUNTS, ...counts },
  updated_at: '2026-03-01T11:59:30Z',
})

test('polls every two seconds while texts are being sent', () => {
  expect(
    choosePollInterval(
      [createBatch({ delivered: 9 }), createBatch({ pending: 1, queued: 1 })],
      NOON,
    ),
  ).toBe(2000)
  expect(choosePollInterval([createBatch({ pending: 4, waiting: 3 })], NOON)).toBe(2000)
})

test('does not poll for texts that wait for tomorrow or have arrived', () => {
  expect(choosePollInterval([], NOON)).toBe(false)
  expect(
    choosePollInterval(
      [createBatch({ pending: 3, waiting: 3 }), createBatch({ delivered: 9 })],
      NOON,
    ),
  ).toBe(false)
})

test('polls for a minute after the last change of a text that was sent', () => {
  expect([
    choosePollInterval([createBatch({ sent: 1 })], NOON),
    choosePollInterval([createBatch({ sent: 1 })], NOON + 60_000),
  ]).toEqual([2000, false])
})

test('awaits a delivery report for one minute, and only for texts on their way', () => {
  const createText = (state: TextState | null) => ({ state, at: '2026-03-01T11:59:30Z' })
  expect([
    awaitsReport(createText('sent'), NOON),
    awaitsReport(createText('sent'), NOON + 60_000),
  ]).toEqual([true, false])
  expect([
    awaitsReport(createText('delivered'), NOON),
    awaitsReport(createText('waiting'), NOON),
    awaitsReport(createText(null), NOON),
  ]).toEqual([false, false, false])
})
