import { DAY_MS, utcMidnight } from '@tatami/contract/lib/calendar-day'
import { firstRow } from '../../lib/rows.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns what a clock in the time zone shows at an instant, in milliseconds as if it were UTC.
 *  Uses Swedish dates, because `Date.parse` understands their format. */
function getWallClockMs(instantMs: number, timeZone: string): number {
  const cachedFormatter = formatters.get(timeZone)
  const formatter =
    cachedFormatter ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  if (!cachedFormatter) formatters.set(timeZone, formatter)
  return Date.parse(`${formatter.format(instantMs).replace(' ', 'T')}Z`)
}

const MINUTE_MS = 60_000

/** Converts a time of day in a time zone to an instant. If the time occurs twice because daylight
 *  saving time ends, this is the first instant. If it is skipped because daylight saving time
 *  begins, this is an hour later. */
export function toInstant(day: string, minute: number, timeZone: string): Date {
  const wallClockMs = utcMidnight(day).getTime() + minute * MINUTE_MS
  // The time zone's offsets from UTC on the day before and on the day after.
  const offsets = [wallClockMs - DAY_MS, wallClockMs + DAY_MS].map(
    (ms) => getWallClockMs(ms, timeZone) - ms,
  )
  const matchingInstants = offsets
    .map((offset) => wallClockMs - offset)
    .filter((ms) => getWallClockMs(ms, timeZone) === wallClockMs)
  const isSkippedTime = matchingInstants.length === 0
  return new Date(isSkippedTime ? wallClockMs - firstRow(offsets) : Math.min(...matchingInstants))
}
