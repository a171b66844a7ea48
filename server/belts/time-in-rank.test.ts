import { wholeMonthsBetween, addMonthsToDay, addDays } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { findDayOfAge, hasOutgrown } from './next-rank.ts'
import { addVacations, subtractVacations } from './time-in-rank.ts'

test.each([
  ['2027-01-31', 1, '2027-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2027-12-31', 2, '2028-02-29'],
  ['2027-08-31', 1, '2027-09-30'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2027-11-15', 14, '2029-01-15'],
])('%s plus %i months is %s, and the day before is one month less', (startDay, months, day) => {
  expect(addMonthsToDay(startDay, months)).toBe(day)
  expect(wholeMonthsBetween(startDay, day)).toBe(months)
  expect(wholeMonthsBetween(startDay, addDays(day, -1))).toBe(months - 1)
  expect(wholeMonthsBetween(day, startDay)).toBe(0)
})

test('leaves out vacation days, and counts overlapping vacations once', () => {
  const vacations = [
    { from: '2027-01-05', until: '2027-01-09' },
    { from: '2027-01-08', until: '2027-01-10' },
    { from: '2026-12-20', until: '2027-01-01' },
  ]
  expect(subtractVacations(vacations, '2027-01-01', '2027-01-04')).toBe('2027-01-04')
  expect(subtractVacations(vacations, '2027-01-01', '2027-01-07')).toBe('2027-01-04')
  expect(subtractVacations(vacations, '2027-01-01', '2027-01-11')).toBe('2027-01-05')
  expect(addVacations(vacations, '2027-01-01', '2027-02-01')).toBe('2027-02-07')
  expect(
    addVacations([...vacations, { from: '2027-02-07', until: null }], '2027-01-01', '2027-02-01'),
  ).toBeNull()
  expect(
    addVacations([...vacations, { from: '2027-02-08', until: null }], '2027-01-01', '2027-02-01'),
  ).toBe('2027-02-07')
})

test('considers a ladder outgrown on a birthday or, if ages count by year, on January 1', () => {
  const ladder = { max_age: 15, age_counts: 'birthday' as const }
  expect(hasOutgrown(ladder, '2028-02-28', '2012-02-29')).toBe(false)
  expect(hasOutgrown(ladder, '2028-02-29', '2012-02-29')).toBe(true)
  expect(hasOutgrown({ ...ladder, max_age: 14 }, '2027-02-27', '2012-02-29')).toBe(false)
  expect(hasOutgrown({ ...ladder, max_age: 14 }, '2027-02-28', '2012-02-29')).toBe(true)
  expect(hasOutgrown({ ...ladder, age_counts: 'calendar_year' }, '2027-12-31', '2012-02-29')).toBe(
    false,
  )
  expect(hasOutgrown({ ...ladder, age_counts: 'calendar_year' }, '2028-01-01', '2012-02-29')).toBe(
    true,
  )
  expect(hasOutgrown(ladder, '2040-01-01', null)).toBe(false)
  expect(findDayOfAge('calendar_year', '2012-12-31', 16)).toBe('2028-01-01')
})
