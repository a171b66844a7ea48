/** A day is a string like '2026-11-26', not a point in time, so days compare as strings. */

import { mustExist } from './must-exist.ts'

export const DAY_MS = 24 * 3_600_000

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** `month` is zero-based: 0 is January. */
export type Month = { month: number; year: number }

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const utcDay = (instant: Date): string => instant.toISOString().slice(0, 10)

export const utcMidnight = (day: string): Date => new Date(`${day}T00:00Z`)

export const yearOf = (day: string): number => Number(day.slice(0, 4))
export const dayOfMonth = (day: string): number => Number(day.slice(8, 10))

const twoDigits = (number: number) => (number < 10 ? `0${number}` : String(number))

export const dayFrom = ({ month, year }: Month, date: number): string =>
  `${year < 1000 ? String(year).padStart(4, '0') : year}-${twoDigits(month + 1)}-${twoDigits(date)}`

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && utcMidnight(text).toJSON()?.slice(0, 10) === text

/** Reads the parts of the date, because `toISOString` is several times slower. */
export function addDays(day: string, count: number): string {
  const dateOfMonth = dayOfMonth(day) + count
  if (dateOfMonth >= 1 && dateOfMonth <= 28) return day.slice(0, 8) + twoDigits(dateOfMonth)
  const date = new Date(Date.parse(day) + count * DAY_MS)
  const month = { month: date.getUTCMonth(), year: date.getUTCFullYear() }
  return dayFrom(month, date.getUTCDate())
}

export const daysBetween = (first: string, second: string): number =>
  (Date.parse(second) - Date.parse(first)) / DAY_MS

export const weekdayOf = (day: string): Weekday => {
  const daysSinceMonday = (utcMidnight(day.slice(0, 10)).getUTCDay() + 6) % 7
  return mustExist(WEEKDAYS[daysSinceMonday], 'The weekday')
}

export const daysSinceSunday = (day: string): number => utcMidnight(day).getUTCDay()

/** Returns the first day on or after `start` that is this weekday. */
export function nextWeekday(weekday: Weekday, start: string): string {
  const daysAhead = WEEKDAYS.indexOf(weekday) - WEEKDAYS.indexOf(weekdayOf(start))
  return addDays(start, (daysAhead + 7) % 7)
}

export const monthOfDate = (day: string): Month => ({
  month: Number(day.slice(5, 7)) - 1,
  year: yearOf(day),
})

export const monthKey = (month: Month): string => firstDayOf(month).slice(0, 7)

export const firstDayOf = (month: Month): string => dayFrom(month, 1)
export const lastDayOf = (month: Month): string => dayFrom(month, daysInMonth(month))

const DAYS_IN_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export const daysInMonth = ({ month, year }: Month): number =>
  month === 1 && isLeapYear(year) ? 29 : mustExist(DAYS_IN_MONTHS[month], 'The month')

export function addMonths({ month, year }: Month, count: number): Month {
  const months = year * 12 + month + count
  return { month: ((months % 12) + 12) % 12, year: Math.floor(months / 12) }
}
export const nextMonth = (month: Month): Month => addMonths(month, 1)

export const monthsBetween = (first: Month, second: Month): number =>
  (second.year - first.year) * 12 + second.month - first.month

/** Returns all months from the first to the last, including both. */
export const monthsFrom = (first: Month, last: Month): Month[] =>
  Array.from({ length: monthsBetween(first, last) + 1 }, (_, count) => addMonths(first, count))

export function wholeMonthsBetween(first: string, second: string): number {
  const months = monthsBetween(monthOfDate(first), monthOfDate(second))
  return Math.max(0, addMonthsToDay(first, months) <= second ? months : months - 1)
}

/** Returns this date of the month, or the last day if the month is shorter. */
export const dateInMonth = (month: Month, date: number): string =>
  dayFrom(month, Math.min(date, daysInMonth(month)))

/** Returns the same date some months later, or the last day if that month is shorter. */
export const addMonthsToDay = (day: string, count: number): string =>
  dateInMonth(addMonths(monthOfDate(day), count), dayOfMonth(day))

/** A birthday on February 29 moves to February 28 in years that are not leap years. */
export function birthdayIn(year: number, dateOfBirth: string): string {
  const birthday = `${year}${dateOfBirth.slice(4)}`
  return isDay(birthday) ? birthday : `${year}-02-28`
}

export const birthdayOf = (dateOfBirth: string, age: number): string =>
  birthdayIn(yearOf(dateOfBirth) + age, dateOfBirth)

export function ageOn(day: string, dateOfBirth: string): number {
  const age = yearOf(day) - yearOf(dateOfBirth)
  return day < birthdayOf(dateOfBirth, age) ? age - 1 : age
}
