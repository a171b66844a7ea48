import { expect, test } from 'vitest'
import { firstDayOf, monthOfDate, nextMonth } from './month.ts'

test('a month is read from a date of it and written as its first day', () => {
  expect(monthOfDate('2026-03-31')).toEqual({ month: 2, year: 2026 })
  expect(firstDayOf({ month: 2, year: 2026 })).toBe('2026-03-01')
})

test('January follows December', () => {
  expect(nextMonth({ month: 10, year: 2026 })).toEqual({ month: 11, year: 2026 })
  expect(nextMonth({ month: 11, year: 2026 })).toEqual({ month: 0, year: 2027 })
})
