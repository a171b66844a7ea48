import { addDays, lastDayOf, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'
import { formatMonthAndDay, formatWeekday } from '../lib/dates.ts'

/** The days that are promised most: today, tomorrow, the coming Friday and Monday, in a week and the last day of the month; each once. */
export function promiseDays(today: string): { day: string; label: string }[] {
  const last = lastDayOf(monthOfDate(today))
  const near = [
    { day: today, label: 'Today' },
    { day: addDays(today, 1), label: 'Tomorrow' },
    ...[nextWeekday('friday', today), nextWeekday('monday', today)].map((day) => ({
      day,
      label: formatWeekday(day),
    })),
    { day: addDays(today, 7), label: 'In a week' },
    { day: last, label: formatMonthAndDay(last) },
  ]
  return near
    .filter(({ day }, index) => near.findIndex((one) => one.day === day) === index)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
