import { utcMidnight, yearOf } from '../lib/calendar-day.ts'

/** "April 1" */
export const formatMonthAndDay = (day: string): string =>
  utcMidnight(day).toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })

/** "April 1", or "April 1, 2027" in another year. */
export const formatDayFrom = (day: string, today: string): string =>
  yearOf(day) === yearOf(today) ? formatMonthAndDay(day) : formatFullDay(day)

/** "April 1, 2027" */
export const formatFullDay = (day: string): string => `${formatMonthAndDay(day)}, ${yearOf(day)}`
