import { expect, test } from 'vitest'
import { firstDayOf, lastDayOf, monthOfDate, nextMonth } from './month.ts'

test('a month is read from a date of it and written as its first day', () => {
  expect(monthOfDate('2026-03-31')).toEqual({ month: 2, year: 2026 })
  expect(firstDayOf({ month: 2, year: 2026 })).toBe('2026-03-01')
})

test('a month ends on its last day, in leap years too', () => {
  expect([0, 1, 3].map((month) => lastDayOf({ month, year: 2028 }))).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-04-30',
  ])
  expect(lastDayOf({ month: 1, year: 2027 })).toBe('2027-02-28')
})

test('January follows December', () => {
  expect(nextMonth({ month: 10, year: 2026 })).toEqual({ month: 11, year: 2026 })
  expect(nextMonth({ month: 11, year: 2026 })).toEqual({ month: 0, year: 2027 })
})
