import { addDays, lastDayOf, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { formatMonthAndDay, formatWeekday } from '../lib/dates.ts'

const DAYS_NAMED_BY_WEEKDAY = 6

/** "Will pay today", "Will pay by Friday", "Will pay by December 5", "Did not pay by May 2". */
export function describePromise(day: string, today: string): string {
  if (day < today) return `Did not pay by ${formatMonthAndDay(day)}`
  if (day === today) return 'Will pay today'
  const isNear = day <= addDays(today, DAYS_NAMED_BY_WEEKDAY)
  return `Will pay by ${isNear ? formatWeekday(day) : formatMonthAndDay(day)}`
}

export function listPromiseDays(today: string): { day: string; label: string }[] {
  const monthEnd = lastDayOf(monthOfDate(today))
  const weekdays = [nextWeekday('friday', today), nextWeekday('monday', today)]
  const options = [
    { day: today, label: 'Today' },
    { day: addDays(today, 1), label: 'Tomorrow' },
    ...weekdays.map((day) => ({ day, label: formatWeekday(day) })),
    { day: addDays(today, 7), label: 'In a week' },
    { day: monthEnd, label: formatMonthAndDay(monthEnd) },
  ]
  // A Map keeps the last label of each day. Reversed, it keeps the first.
  const labels = new Map(options.toReversed().map(({ day, label }) => [day, label]))
  return [...labels]
    .map(([day, label]) => ({ day, label }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
