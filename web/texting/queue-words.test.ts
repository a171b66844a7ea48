import { expect, test } from 'vitest'
import { leftQueue, queueWords } from './queue-words.ts'

const counts = (total: number, queued: number, waiting = 0) => ({
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
  expect([leftQueue(counts(40, 28)), leftQueue(counts(40, 0, 10))]).toEqual([
    { left: 12, all: 40 },
    { left: 30, all: 30 },
  ])
})

test('it is said at every quarter, and when all have left', () => {
  expect(queueWords('Weather Cancellation', counts(40, 28))).toBe('Weather Cancellation: 25 % of 40 texts have left')
  expect(queueWords('Weather Cancellation', counts(40, 40))).toBe('Weather Cancellation: 0 % of 40 texts have left')
  expect(queueWords('Pre Due', counts(3, 0, 3))).toBe('Pre Due: all texts have left')
})
