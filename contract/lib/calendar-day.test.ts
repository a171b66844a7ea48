import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  addMonthsToDay,
  ageOn,
  birthdayOf,
  dayFrom,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  daysSinceSunday,
  firstDayOf,
  isDay,
  lastDayOf,
  monthKey,
  monthOfDate,
  monthsBetween,
  monthsFrom,
  nextMonth,
  nextWeekday,
  utcDay,
  weekdayOf,
  wholeMonthsBetween,
} from './calendar-day.ts'

const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(utcDay)
const dayCounts = fc.integer({ min: -10_000, max: 10_000 })

test('counts days across a clock change and the end of a year', () => {
  expect([
    daysBetween('2026-03-01', '2026-04-01'),
    daysBetween('2026-12-31', '2027-01-02'),
    daysBetween('2026-03-02', '2026-03-01'),
  ]).toEqual([31, 2, -1])
})

test('adds and subtracts days', () => {
  expect([addDays('2028-02-28', 1), addDays('2027-01-01', -1)]).toEqual([
    '2028-02-29',
    '2026-12-31',
  ])
  fc.assert(
    fc.property(days, dayCounts, (day, count) => daysBetween(day, addDays(day, count)) === count),
  )
})

test('recognizes valid days', () => {
  expect(
    ['2028-02-29', '2027-02-29', '2027-13-01', '2027-1-1', '2027-01-01T00:00Z', ''].map(isDay),
  ).toEqual([true, false, false, false, false, false])
})

test('gives the weekday of a day, and the next day with a given weekday', () => {
  expect(['2026-11-26', '2026-11-29', '2026-11-30'].map(weekdayOf)).toEqual([
    'thursday',
    'sunday',
    'monday',
  ])
  expect(['2026-11-28', '2026-11-29', '2026-11-30'].map(daysSinceSunday)).toEqual([6, 0, 1])
  expect([
    nextWeekday('thursday', '2026-11-26'),
    nextWeekday('monday', '2026-11-26'),
    nextWeekday('wednesday', '2026-11-26'),
  ]).toEqual(['2026-11-26', '2026-11-30', '2026-12-02'])
})

test('splits a day into month and day of the month, and joins them again', () => {
  fc.assert(fc.property(days, (day) => dayFrom(monthOfDate(day), dayOfMonth(day)) === day))
})

test('reads a month from a date, and writes a month as its first day', () => {
  expect(monthOfDate('2026-03-31')).toEqual({ month: 2, year: 2026 })
  expect(firstDayOf({ month: 2, year: 2026 })).toBe('2026-03-01')
})

test('gives the last day of a month, in leap years too', () => {
  expect([0, 1, 3].map((month) => lastDayOf({ month, year: 2028 }))).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-04-30',
  ])
  expect(lastDayOf({ month: 1, year: 2027 })).toBe('2027-02-28')
})

test('gives the next month, and January after December', () => {
  expect(nextMonth({ month: 10, year: 2026 })).toEqual({ month: 11, year: 2026 })
  expect(nextMonth({ month: 11, year: 2026 })).toEqual({ month: 0, year: 2027 })
})

test('converts a month to its key and back, and counts its days', () => {
  expect(monthKey({ month: 10, year: 2026 })).toBe('2026-11')
  expect(monthOfDate('2026-11')).toEqual({ month: 10, year: 2026 })
  expect([1, 3].map((month) => daysInMonth({ month, year: 2028 }))).toEqual([29, 30])
})

test('adds and subtracts months', () => {
  const monthAfter = (key: string, count: number) => monthKey(addMonths(monthOfDate(key), count))
  expect([
    monthAfter('2026-01', -1),
    monthAfter('2026-12', 1),
    monthAfter('2026-05', -17),
    monthAfter('2026-05', 0),
  ]).toEqual(['2025-12', '2027-01', '2024-12', '2026-05'])
})

test('counts and lists months across the end of a year', () => {
  const november = monthOfDate('2025-11')
  const february = monthOfDate('2026-02')
  expect([monthsBetween(november, february), monthsBetween(february, november)]).toEqual([3, -3])
  expect(monthsFrom(november, february).map(firstDayOf)).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ])
})

test('adds months to a day, stopping at the last day of a shorter month', () => {
  expect([
    addMonthsToDay('2027-01-31', 1),
    addMonthsToDay('2028-01-31', 1),
    addMonthsToDay('2027-03-31', -13),
  ]).toEqual(['2027-02-28', '2028-02-29', '2026-02-28'])
  expect([
    wholeMonthsBetween('2027-01-31', '2027-02-27'),
    wholeMonthsBetween('2027-01-31', '2027-02-28'),
    wholeMonthsBetween('2027-02-01', '2027-01-01'),
  ]).toEqual([0, 1, 0])
})

test('moves a February 29 birthday to the 28th except in leap years', () => {
  expect([birthdayOf('2008-02-29', 18), birthdayOf('2008-02-29', 20)]).toEqual([
    '2026-02-28',
    '2028-02-29',
  ])
  expect(ageOn('2026-02-27', '2008-02-29')).toBe(17)
  expect(ageOn('2026-02-28', '2008-02-29')).toBe(18)
})
