import { TEXT_STATES } from '@tatami/contract/text-history'
import { expect, test } from 'vitest'
import { BY_NEED, countedFates, FATE_WORDS, fateOf, fateWords, leftQueue, queueWords, watchMs } from './text-status.ts'

test('every state of a text has a fate, and every fate its words and its place', () => {
  expect(TEXT_STATES.map(fateOf)).not.toContain(undefined)
  expect(BY_NEED.toSorted()).toEqual(Object.keys(FATE_WORDS).toSorted())
})

test('only what happened to somebody is counted; what waits for tomorrow is not on the way', () => {
  const counts = { total: 12, pending: 5, waiting: 2, queued: 3, sent: 1, delivered: 4, failed: 1, uncertain: 1, skipped: 3 }
  const words = ['4 delivered', '4 on the way', '2 waiting for tomorrow', '1 failed', '1 uncertain', '3 not sent to']
  expect(countedFates(counts).map(([fate, count]) => fateWords(fate, count))).toEqual(words)
})

const queueOf = (total: number, queued: number, waiting = 0) => ({
  total,
  pending: queued + waiting,
  waiting,
  queued,
  sent: 0,
  delivered: total - queued - waiting,
  failed: 0,
  uncertain: 0,
  skipped: 0,
})

test('a queue runs down; what waits for tomorrow is no part of it', () => {
  expect([leftQueue(queueOf(40, 28)), leftQueue(queueOf(40, 0, 10))]).toEqual([
    { left: 12, all: 40 },
    { left: 30, all: 30 },
  ])
})

test('it is said at every quarter, and when all have left', () => {
  expect(queueWords('Weather Cancellation', queueOf(40, 28))).toBe('Weather Cancellation: 25 % of 40 texts have left')
  expect(queueWords('Weather Cancellation', queueOf(40, 40))).toBe('Weather Cancellation: 0 % of 40 texts have left')
  expect(queueWords('Pre Due', queueOf(3, 0, 3))).toBe('Pre Due: all texts have left')
})

const NOON = Date.parse('2026-03-01T12:00:00Z')
const NONE = { total: 9, pending: 0, waiting: 0, queued: 0, sent: 0, delivered: 0, failed: 0, uncertain: 0, skipped: 0 }
const batch = (counts: object) => ({ counts: { ...NONE, ...counts }, updated_at: '2026-03-01T11:59:30Z' })

test('what is under way is asked every two seconds', () => {
  expect(watchMs([batch({ delivered: 9 }), batch({ pending: 1, queued: 1 })], NOON)).toBe(2000)
  expect(watchMs([batch({ pending: 4, waiting: 3 })], NOON)).toBe(2000)
})

test('what waits for tomorrow, or is settled, is not', () => {
  expect(watchMs([], NOON)).toBe(false)
  expect(watchMs([batch({ pending: 3, waiting: 3 }), batch({ delivered: 9 })], NOON)).toBe(false)
})

test('whether it arrived is asked for a minute after the last news', () => {
  expect([watchMs([batch({ sent: 1 })], NOON), watchMs([batch({ sent: 1 })], NOON + 60_000)]).toEqual([2000, false])
})
