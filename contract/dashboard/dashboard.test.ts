import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ageInYear, groupBirthdaysByDay, buildMonthGrid, type Birthday } from './dashboard.ts'

const JANUARY = 0
const FEBRUARY = 1
const AUGUST = 7
const createBirthday = (student_name: string, date_of_birth: string): Birthday => ({
  student_id: '0193b6a0-0000-7000-8000-000000000001',
  student_name,
  date_of_birth,
})
const listNamesByDay = (days: Map<number, Birthday[]>) =>
  [...days].map(([day, birthdays]) => [day, birthdays.map(({ student_name }) => student_name)])

test('lays out a month in weeks from Sunday to Saturday', () => {
  expect(buildMonthGrid(2026, FEBRUARY)).toEqual([
    [1, 2, 3, 4, 5, 6, 7],
    [8, 9, 10, 11, 12, 13, 14],
    [15, 16, 17, 18, 19, 20, 21],
    [22, 23, 24, 25, 26, 27, 28],
  ])
  expect(buildMonthGrid(2026, AUGUST).at(0)).toEqual([null, null, null, null, null, null, 1])
  expect(buildMonthGrid(2026, AUGUST).at(-1)).toEqual([30, 31, null, null, null, null, null])
})

test('puts each day of a month once under its weekday', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1900, max: 2199 }),
      fc.integer({ min: 0, max: 11 }),
      (year, month) => {
        const grid = buildMonthGrid(year, month)
        const days = grid.flat().filter((day) => day !== null)
        expect(days).toEqual(days.map((_, index) => index + 1))
        const dayAfterLast = new Date(Date.UTC(year, month, days.length + 1))
        expect(dayAfterLast.getUTCDate()).toBe(1)
        for (const week of grid)
          for (const [weekday, day] of week.entries()) {
            if (day === null) continue
            expect(new Date(Date.UTC(year, month, day)).getUTCDay()).toBe(weekday)
          }
      },
    ),
  )
})

test('finds birthdays by month and day in any year', () => {
  const birthdays = [
    createBirthday('Ana', '2015-01-31'),
    createBirthday('Ben', '1980-01-31'),
    createBirthday('Cho', '2015-01-01'),
    createBirthday('Dan', '2015-10-31'),
  ]
  expect(listNamesByDay(groupBirthdaysByDay(2026, JANUARY, birthdays))).toEqual([
    [31, ['Ana', 'Ben']],
    [1, ['Cho']],
  ])
})

test('moves a February 29 birthday to the 28th except in leap years', () => {
  const birthdays = [
    createBirthday('Leap', '2016-02-29'),
    createBirthday('Day before', '2015-02-28'),
  ]
  expect(listNamesByDay(groupBirthdaysByDay(2026, FEBRUARY, birthdays))).toEqual([
    [28, ['Leap', 'Day before']],
  ])
  expect(listNamesByDay(groupBirthdaysByDay(2028, FEBRUARY, birthdays))).toEqual([
    [29, ['Leap']],
    [28, ['Day before']],
  ])
  expect(listNamesByDay(groupBirthdaysByDay(2100, FEBRUARY, birthdays))).toEqual([
    [28, ['Leap', 'Day before']],
  ])
})

test('gives every person exactly one birthday a year', () => {
  const date = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2025-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10))
  fc.assert(
    fc.property(date, fc.integer({ min: 1900, max: 2199 }), (date_of_birth, year) => {
      const months = Array.from({ length: 12 }, (_, month) =>
        groupBirthdaysByDay(year, month, [createBirthday('Ken', date_of_birth)]),
      )
      expect(months.flatMap((days) => [...days.values()]).flat()).toHaveLength(1)
      for (const [month, days] of months.entries())
        for (const day of days.keys()) expect(buildMonthGrid(year, month).flat()).toContain(day)
    }),
  )
})

test('gives the age that a person turns in a year', () => {
  expect(ageInYear(2026, createBirthday('Ken', '2015-03-01'))).toBe(11)
})
