import {
  type Month,
  monthOfDate,
  addMonths,
  firstDayOf,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { LRUCache } from 'lru-cache'
import { now } from '../lib/clock.ts'

/** Creating a formatter costs a thousand times as much as using it. There are about 600 time zones. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: 600,
  memoMethod: (timeZone) =>
    // The Swedish locale formats as 2027-02-28 07:05.
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
})
const dateAndTimeIn = (timeZone: string, instant: Date) => formatters.memo(timeZone).format(instant)

/** The calendar date in a time zone, YYYY-MM-DD; of now by default. */
export const todayIn = (timeZone: string, instant = now()): string =>
  dateAndTimeIn(timeZone, instant).slice(0, 10)

/** The current hour in a time zone, 0 to 23. */
export const hourIn = (timeZone: string): number =>
  Number(dateAndTimeIn(timeZone, now()).slice(11, 13))

/** The minutes from midnight in a time zone by the clock on the wall, 0 to 1439; of now by default. */
export const minuteIn = (timeZone: string, instant = now()): number => {
  const time = dateAndTimeIn(timeZone, instant).slice(11)
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** The month in a time zone; of now by default. */
export const monthIn = (timeZone: string, instant = now()): Month =>
  monthOfDate(todayIn(timeZone, instant))

/** The first days of the last `count` months, oldest first, the current month last. */
export function lastMonths(timeZone: string, count: number): string[] {
  const month = monthIn(timeZone)
  return monthsFrom(addMonths(month, 1 - count), month).map(firstDayOf)
}
