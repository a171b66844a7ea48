import { daysAfter } from '@tatami/contract/timetable'
import { formatMonthAndDay, formatWeekday } from '../lib/dates.ts'

const FRIDAY = 5
const weekday = (date: string) => new Date(date).getUTCDay()

/** The days that are promised most: today, tomorrow, the coming Friday and Monday, in a week and the last day of the month; each once. */
export function promiseDays(today: string): { day: string; label: string }[] {
  const next = (wanted: number) => daysAfter(today, (wanted - weekday(today) + 7) % 7)
  const [year, month] = today.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  const near = [
    { day: today, label: 'Today' },
    { day: daysAfter(today, 1), label: 'Tomorrow' },
    ...[next(FRIDAY), next(1)].map((day) => ({ day, label: formatWeekday(day) })),
    { day: daysAfter(today, 7), label: 'In a week' },
    { day: last, label: formatMonthAndDay(last) },
  ]
  return near
    .filter(({ day }, index) => near.findIndex((one) => one.day === day) === index)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
