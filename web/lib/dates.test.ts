import { weekdayOf, dayFrom } from '@tatami/contract/lib/calendar-day'
import { afterEach, expect, test } from 'vitest'
import {
  breakAfterCommas,
  setTimeZone,
  formatDate,
  formatWeekdayAndDay,
  formatDateTime,
  formatTimeOrDate,
  formatInstantDate,
  formatMonthOfDate,
  formatMonthAndDay,
  today,
} from './dates.ts'

const originalTimeZone = process.env.TZ
afterEach(() => {
  process.env.TZ = originalTimeZone
  setTimeZone(null)
})

test.each(['Pacific/Kiritimati', 'America/Chicago', 'Pacific/Pago_Pago'])(
  'formats a calendar date as the same day in %s',
  (deviceTimeZone) => {
    process.env.TZ = deviceTimeZone
    expect(formatDate('2026-01-31')).toBe('Jan\u00A031,\u00A02026')
    expect(formatDate('2026-01-31T00:00:00.000Z')).toBe('Jan\u00A031,\u00A02026')
    expect(weekdayOf('2026-01-31')).toBe('saturday')
  },
)

test('formats days, months and birthdays', () => {
  expect([
    formatWeekdayAndDay('2026-03-08'),
    formatMonthOfDate('2026-03-08'),
    formatMonthAndDay('2026-03-08'),
  ]).toEqual(['Sunday, March 8', 'March 2026', 'March 8'])
})

test('allows line breaks in a date with a time only after commas', () => {
  expect(breakAfterCommas('Sunday, March 8, 6:00 PM')).toBe('Sunday, March\u00A08, 6:00\u00A0PM')
})

test('uses zero-based months', () => {
  expect(dayFrom({ month: 0, year: 2026 }, 5)).toBe('2026-01-05')
})

test('uses the device’s time zone if there is no dojo', () => {
  process.env.TZ = 'America/Chicago'
  expect(today(new Date('2026-02-01T03:00:00.000Z'))).toBe('2026-01-31')
})

test('the day changes exactly at midnight in the dojo', () => {
  setTimeZone('America/Chicago')
  const timestamps = [
    '2026-02-01T05:59:59.999Z',
    '2026-02-01T06:00:00.000Z',
    '2026-02-01T06:00:00.001Z',
    '2026-02-01T05:59:59.000Z',
  ]
  expect(timestamps.map((timestamp) => today(new Date(timestamp)))).toEqual([
    '2026-01-31',
    '2026-02-01',
    '2026-02-01',
    '2026-01-31',
  ])
})

// A Saturday evening in Texas is Sunday morning in Berlin and Sunday afternoon in Auckland.
test.each(['Europe/Berlin', 'Pacific/Auckland', 'America/Chicago'])(
  'shows the dojo’s day and time to a user in %s',
  (deviceTimeZone) => {
    process.env.TZ = deviceTimeZone
    setTimeZone('America/Chicago')
    const saturday = '2026-02-01T03:05:00.000Z'
    expect(today(new Date(saturday))).toBe('2026-01-31')
    expect(formatInstantDate(saturday)).toBe('Jan\u00A031,\u00A02026')
    expect(formatDateTime(saturday).replaceAll(/\s/g, ' ')).toBe('Jan 31, 2026, 9:05 PM')
    setTimeZone('Pacific/Auckland')
    expect([today(new Date(saturday)), formatInstantDate(saturday)]).toEqual([
      '2026-02-01',
      'Feb\u00A01,\u00A02026',
    ])
  },
)

test('handles the nights when daylight saving time starts and ends', () => {
  setTimeZone('America/Chicago')
  const dayAndTime = (iso: string) => [
    today(new Date(iso)),
    formatDateTime(iso).replaceAll(/\s/g, ' '),
  ]
  expect(dayAndTime('2026-03-08T07:59:00Z')).toEqual(['2026-03-08', 'Mar 8, 2026, 1:59 AM'])
  expect(dayAndTime('2026-03-08T08:00:00Z')).toEqual(['2026-03-08', 'Mar 8, 2026, 3:00 AM'])
  expect(dayAndTime('2026-03-09T04:59:00Z')).toEqual(['2026-03-08', 'Mar 8, 2026, 11:59 PM'])
  expect(dayAndTime('2026-11-01T06:30:00Z')).toEqual(['2026-11-01', 'Nov 1, 2026, 1:30 AM'])
  expect(dayAndTime('2026-11-01T07:30:00Z')).toEqual(['2026-11-01', 'Nov 1, 2026, 1:30 AM'])
  expect(dayAndTime('2026-11-02T05:59:00Z')).toEqual(['2026-11-01', 'Nov 1, 2026, 11:59 PM'])
})

test('formats a timestamp as a time today and as a date on other days of the dojo', () => {
  setTimeZone('America/Chicago')
  const timeOrDate = (iso: string) =>
    formatTimeOrDate(iso, new Date('2026-03-08T20:00:00Z')).replaceAll(/\s/g, ' ')
  expect([timeOrDate('2026-03-08T06:30:00Z'), timeOrDate('2026-03-08T05:30:00Z')]).toEqual([
    '12:30 AM',
    'Mar 7, 2026',
  ])
})

test('uses the device’s time zone if the browser does not know the dojo’s', () => {
  process.env.TZ = 'America/Chicago'
  setTimeZone('America/Nowhere')
  expect(today(new Date('2026-02-01T03:00:00.000Z'))).toBe('2026-01-31')
})
