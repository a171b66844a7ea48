import { addDays } from '@tatami/contract/lib/calendar-day'
import { formatMonthAndDay, formatWeekday } from '../lib/dates.ts'

const DAYS_BY_NAME = 6

/** "Pays today", "Pays on Friday", "Pays on December 5"; of a day that is past "Did not pay on November 20". */
export function promiseText(day: string, today: string): string {
  if (day < today) return `Did not pay on ${formatMonthAndDay(day)}`
  if (day === today) return 'Pays today'
  return `Pays on ${day <= addDays(today, DAYS_BY_NAME) ? formatWeekday(day) : formatMonthAndDay(day)}`
}
