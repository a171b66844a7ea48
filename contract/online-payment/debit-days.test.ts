import { expect, test } from 'vitest'
import { debitDayIn, lastDebitDay, nextDebitDay } from './debit-days.ts'

test.each([
  [2, 2026, 31, '2026-03-31'],
  [1, 2026, 29, '2026-02-28'],
  [1, 2026, 30, '2026-02-28'],
  [1, 2026, 31, '2026-02-28'],
  [1, 2028, 30, '2028-02-29'],
  [3, 2026, 31, '2026-04-30'],
  [3, 2026, 1, '2026-04-01'],
])('in month %i of %i, day %i is %s', (month, year, dayOfMonth, debitDay) => {
  expect(debitDayIn({ month, year }, dayOfMonth)).toBe(debitDay)
})

test('the last and the next debit day may be the day itself', () => {
  expect([lastDebitDay(31, '2026-02-28'), nextDebitDay(31, '2026-02-28')]).toEqual([
    '2026-02-28',
    '2026-02-28',
  ])
  expect([lastDebitDay(31, '2026-03-01'), nextDebitDay(31, '2026-03-01')]).toEqual([
    '2026-02-28',
    '2026-03-31',
  ])
  expect([lastDebitDay(5, '2026-01-04'), nextDebitDay(5, '2026-12-06')]).toEqual([
    '2025-12-05',
    '2027-01-05',
  ])
})
