import { expect, test } from 'vitest'
import { planDay } from './plan-day.ts'

test.each([
  ['2026-03-01', 1],
  ['2026-03-02', 2],
  ['2026-03-12', 12],
  ['2026-05-29', 90],
])('counts the first class as day 1: %s is day %i', (today, day) => {
  expect(planDay('2026-03-01', today, [])).toBe(day)
})

test('does not count a vacation', () => {
  const vacation = { first: '2026-03-05', last: '2026-03-07' }
  expect(planDay('2026-03-01', '2026-03-04', [vacation])).toBe(4)
  expect(planDay('2026-03-01', '2026-03-06', [vacation])).toBe(4)
  expect(planDay('2026-03-01', '2026-03-08', [vacation])).toBe(5)
})

test('counts each day of overlapping pauses once', () => {
  const pauses = [
    { first: '2026-02-20', last: '2026-03-03' },
    { first: '2026-03-02', last: '2026-03-04' },
  ]
  expect(planDay('2026-03-01', '2026-03-05', pauses)).toBe(2)
})
