/** A calendar month. `month` counts from 0 (January), as everywhere in the API. */
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

/** The month of a calendar date, YYYY-MM-DD. */
export const monthOfDate = (date: string): Month => ({
  month: Number(date.slice(5, 7)) - 1,
  year: Number(date.slice(0, 4)),
})

/** The first day of a month as a calendar date, YYYY-MM-DD. */
export const firstDayOf = ({ month, year }: Month): string =>
  `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-01`

/** The last day of a month as a calendar date, YYYY-MM-DD. */
export const lastDayOf = ({ month, year }: Month): string =>
  new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10)

export const nextMonth = ({ month, year }: Month): Month =>
  month === 11 ? { month: 0, year: year + 1 } : { month: month + 1, year }
