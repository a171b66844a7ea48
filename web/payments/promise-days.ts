import { formatMonthAndDay, formatWeekday } from '../lib/dates.ts'

const DAY_MS = 86_400_000
const plusDays = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
const FRIDAY = 5
const weekday = (date: string) => new Date(date).getUTCDay()

/** The days that are promised most: today, tomorrow, the coming Friday and Monday, in a week and the last day of the month; each once. */
export function promiseDays(today: string): { day: string; label: string }[] {
  const next = (wanted: number) => plusDays(today, (wanted - weekday(today) + 7) % 7)
  const [year, month] = today.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  const near = [
    { day: today, label: 'Today' },
    { day: plusDays(today, 1), label: 'Tomorrow' },
    ...[next(FRIDAY), next(1)].map((day) => ({ day, label: formatWeekday(day) })),
    { day: plusDays(today, 7), label: 'In a week' },
    { day: last, label: formatMonthAndDay(last) },
  ]
  return near
    .filter(({ day }, index) => near.findIndex((one) => one.day === day) === index)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

const DAYS_BY_NAME = 6

/** "Pays today", "Pays on Friday", "Pays on December 5"; of a day that is past "Did not pay on November 20". */
export function promiseText(day: string, today: string): string {
  if (day < today) return `Did not pay on ${formatMonthAndDay(day)}`
  if (day === today) return 'Pays today'
  return `Pays on ${day <= plusDays(today, DAYS_BY_NAME) ? formatWeekday(day) : formatMonthAndDay(day)}`
}
