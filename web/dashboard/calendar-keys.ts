import { addDays, addMonthsToDay, daysSinceSunday } from '@tatami/contract/lib/calendar-day'

/** What each key does to the date that has the focus. */
export const DATE_MOVE_BY_KEY: Record<string, (date: string) => string> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  Home: (date) => addDays(date, -daysSinceSunday(date)),
  End: (date) => addDays(date, 6 - daysSinceSunday(date)),
  PageUp: (date) => addMonthsToDay(date, -1),
  PageDown: (date) => addMonthsToDay(date, 1),
}
