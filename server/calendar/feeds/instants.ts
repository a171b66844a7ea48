import { DAY_MS, utcMidnight } from '@tatami/contract/lib/calendar-day'
import { firstRow } from '../../lib/rows.ts'

const clocks = new Map<string, Intl.DateTimeFormat>()

function wallClock(instantMs: number, timeZone: string): number {
  const cachedClock = clocks.get(timeZone)
  const clock =
    cachedClock ??
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
  if (!cachedClock) clocks.set(timeZone, clock)
  return Date.parse(`${clock.format(instantMs).replace(' ', 'T')}Z`)
}

const MINUTE_MS = 60_000

/** Converts a wall-clock time to an instant. Of a time that occurs twice when daylight saving ends,
 *  it is the first. A time that is skipped when daylight saving begins is an hour later. */
export function toInstant(day: string, minute: number, timeZone: string): Date {
  const wallMs = utcMidnight(day).getTime() + minute * MINUTE_MS
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((ms) => wallClock(ms, timeZone) - ms)
  const matchingInstants = offsets
    .map((offset) => wallMs - offset)
    .filter((ms) => wallClock(ms, timeZone) === wallMs)
  return new Date(
    matchingInstants.length > 0 ? Math.min(...matchingInstants) : wallMs - firstRow(offsets),
  )
}
