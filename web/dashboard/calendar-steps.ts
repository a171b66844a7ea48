import { monthOfDate } from '@tatami/contract/month'
import { calendarDate } from '../lib/dates.ts'

const shifted = (date: string, days: number) => {
  const { year, month } = monthOfDate(date)
  const then = new Date(Date.UTC(year, month, Number(date.slice(8)) + days))
  return calendarDate(then.getUTCFullYear(), then.getUTCMonth(), then.getUTCDate())
}

/** The same day some months on, or the last one of a month that is shorter. */
export const inMonths = (date: string, months: number) => {
  const { year, month } = monthOfDate(date)
  const last = new Date(Date.UTC(year, month + months + 1, 0))
  return calendarDate(last.getUTCFullYear(), last.getUTCMonth(), Math.min(Number(date.slice(8)), last.getUTCDate()))
}

const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Where a key leads from a day of the calendar. */
export const STEPS: Record<string, (date: string) => string> = {
  ArrowLeft: (date) => shifted(date, -1),
  ArrowRight: (date) => shifted(date, 1),
  ArrowUp: (date) => shifted(date, -7),
  ArrowDown: (date) => shifted(date, 7),
  Home: (date) => shifted(date, -weekday(date)),
  End: (date) => shifted(date, 6 - weekday(date)),
  PageUp: (date) => inMonths(date, -1),
  PageDown: (date) => inMonths(date, 1),
}
