import {
  type Month,
  monthOfDate,
  addMonths,
  firstDayOf,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { LRUCache } from 'lru-cache'
import { now } from '../lib/clock.ts'

/** Formatters are cached, because creating one takes a thousand times as long as using it. */
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

export const todayIn = (timeZone: string, instant = now()): string =>
  dateAndTimeIn(timeZone, instant).slice(0, 10)

export const hourIn = (timeZone: string): number =>
  Number(dateAndTimeIn(timeZone, now()).slice(11, 13))

export const minuteIn = (timeZone: string, instant = now()): number => {
  const time = dateAndTimeIn(timeZone, instant).slice(11)
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

export const monthIn = (timeZone: string, instant = now()): Month =>
  monthOfDate(todayIn(timeZone, instant))

/** Lists the first days of the last `count` months, up to the current month. */
export function listLastMonths(timeZone: string, count: number): string[] {
  const month = monthIn(timeZone)
  return monthsFrom(addMonths(month, 1 - count), month).map(firstDayOf)
}
