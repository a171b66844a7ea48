import { afterEach, expect, test } from 'vitest'
import { calendarDate, showDate, showDay, showMonth, showMonthDay, today, weekdayOf } from './dates.ts'

const zone = process.env.TZ
afterEach(() => {
  process.env.TZ = zone
})

test.each(['Pacific/Kiritimati', 'America/Chicago', 'Pacific/Pago_Pago'])('a calendar date is the same day in %s', (tz) => {
  process.env.TZ = tz
  expect(showDate('2026-01-31')).toBe('Jan 31, 2026')
  expect(showDate('2026-01-31T00:00:00.000Z')).toBe('Jan 31, 2026')
  expect(weekdayOf('2026-01-31')).toBe('saturday')
})

test('a day, a month and a birthday are shown as such', () => {
  expect([showDay('2026-03-08'), showMonth('2026-03-08'), showMonthDay('2026-03-08')]).toEqual(['Sunday, March 8', 'March 2026', 'March 8'])
})

test('months count from 0', () => {
  expect(calendarDate(2026, 0, 5)).toBe('2026-01-05')
})

test('today is the day on the wall where the reader is, not in London', () => {
  process.env.TZ = 'America/Chicago'
  expect(today(new Date('2026-02-01T03:00:00.000Z'))).toBe('2026-01-31')
})
