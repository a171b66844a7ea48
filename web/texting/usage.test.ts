import { expect, test } from 'vitest'
import { chooseBarTone, chooseTextTone } from './usage.ts'

const createUsage = (message_count: number, daily_limit = 300) => ({
  date: '2026-11-21',
  message_count,
  daily_limit,
  remaining_messages: Math.max(0, daily_limit - message_count),
  limit_reached: message_count >= daily_limit,
})

test('turns the text orange when fewer than 50 texts remain, and red at the limit', () => {
  expect([0, 250, 251, 299, 300, 301].map((count) => chooseTextTone(createUsage(count)))).toEqual([
    'green',
    'green',
    'orange',
    'orange',
    'red',
    'red',
  ])
})

test('turns the bar orange above 80% of the limit, and red at the limit', () => {
  expect([0, 240, 241, 299, 300].map((count) => chooseBarTone(createUsage(count)))).toEqual([
    'green',
    'green',
    'orange',
    'orange',
    'red',
  ])
  expect([
    chooseBarTone(createUsage(8000, 10_000)),
    chooseBarTone(createUsage(8001, 10_000)),
    chooseBarTone(createUsage(0, 1)),
    chooseBarTone(createUsage(1, 1)),
  ]).toEqual(['green', 'orange', 'green', 'red'])
})
