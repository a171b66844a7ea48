import { monthOfDate } from '@tatami/contract/month'
import { calendarDate } from '../lib/dates.ts'

const addDays = (date: string, days: number) => {
  const { year, month } = monthOfDate(date)
  const then = new Date(Date.UTC(year, month, Number(date.slice(8)) + days))
  return calendarDate(then.getUTCFullYear(), then.getUTCMonth(), then.getUTCDate())
}

/** The same day some months on, or the last one of a month that is shorter. */
export const addMonths = (date: string, months: number) => {
  const { year, month } = monthOfDate(date)
  const last = new Date(Date.UTC(year, month + months + 1, 0))
  return calendarDate(
    last.getUTCFullYear(),
    last.getUTCMonth(),
    Math.min(Number(date.slice(8)), last.getUTCDate()),
  )
}

const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Where a key leads from a day of the calendar. */
export const KEY_STEPS: Record<string, (date: string) => string> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  Home: (date) => addDays(date, -weekday(date)),
  End: (date) => addDays(date, 6 - weekday(date)),
  PageUp: (date) => addMonths(date, -1),
  PageDown: (date) => addMonths(date, 1),
}
