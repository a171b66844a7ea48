import { calendarDate, showMonth, today } from '../lib/dates.ts'

/** `month` counts from 0, as everywhere in the API. */
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

export function thisMonth(): Month {
  const [year, month] = today().split('-').map(Number)
  return { month: month! - 1, year: year! }
}

/** "March 2026" */
export const monthName = ({ month, year }: Month) => showMonth(calendarDate(year, month, 1))

/** The years of the late-fee select: from `first` to 2026 or the current year, whichever is later (product.md, section 9). */
export const lateFeeYears = (first: number) =>
  Array.from({ length: Math.max(2026, thisMonth().year) - first + 1 }, (_, step) => first + step)
