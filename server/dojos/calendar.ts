import { type Month, monthOfDate } from '@tatami/contract/month'
import { LRUCache } from 'lru-cache'
import { now } from '../lib/clock.ts'

/** Creating a formatter costs a thousand times as much as using it. There are about 600 time zones. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: 600,
  memoMethod: (timeZone) =>
    // The Swedish locale formats as 2027-02-28 07.
    new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' }),
})
const dateAndHourIn = (timeZone: string, at: Date) => formatters.memo(timeZone).format(at)

/** The calendar date in a time zone, YYYY-MM-DD; of now by default. */
export const todayIn = (timeZone: string, at = now()): string => dateAndHourIn(timeZone, at).slice(0, 10)

/** The current hour in a time zone, 0 to 23. */
export const hourIn = (timeZone: string): number => Number(dateAndHourIn(timeZone, now()).slice(11, 13))

/** The month in a time zone; of now by default. */
export const monthIn = (timeZone: string, at = now()): Month => monthOfDate(todayIn(timeZone, at))

/** The first days of the last `count` months, oldest first, the current month last. */
export function lastMonths(timeZone: string, count: number): string[] {
  const { month, year } = monthIn(timeZone)
  return Array.from({ length: count }, (_, step) => new Date(Date.UTC(year, month - (count - 1 - step), 1)).toISOString().slice(0, 10))
}
