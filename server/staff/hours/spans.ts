import { addDays } from '@tatami/contract/lib/calendar-day'
import { toInstant } from '../../calendar/feeds/instants.ts'
import { minuteIn, todayIn } from '../../dojos/calendar.ts'

const MINUTE_MS = 60_000

/** The start and end of work, as instants. */
export type Span = { startsAt: Date; endsAt: Date }
/** A part of a span within one day, in the school's time zone. */
export type DaySpan = Span & { day: string; minutes: number }

export const minutesOfSpan = ({ startsAt, endsAt }: Span): number =>
  Math.floor((endsAt.getTime() - startsAt.getTime()) / MINUTE_MS)

export const startOfMinute = (instant: Date): Date =>
  new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)

function minuteOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

type WallTimes = { day: string; from: string; until: string }

/** An end that is not after the start is on the next day. */
export function toSpan({ day, from, until }: WallTimes, timeZone: string): Span {
  const [startMinute, endMinute] = [minuteOfDay(from), minuteOfDay(until)]
  const lastDay = endMinute > startMinute ? day : addDays(day, 1)
  return {
    startsAt: toInstant(day, startMinute, timeZone),
    endsAt: toInstant(lastDay, endMinute, timeZone),
  }
}

/** Splits a span at midnight, in the school's time zone. */
export function splitByDay({ startsAt, endsAt }: Span, timeZone: string): DaySpan[] {
  const parts: DaySpan[] = []
  for (let start = startsAt; start < endsAt;) {
    const day = todayIn(timeZone, start)
    const midnight = startOfDay(addDays(day, 1), timeZone)
    const part = { startsAt: start, endsAt: midnight < endsAt ? midnight : endsAt }
    parts.push({ ...part, day, minutes: minutesOfSpan(part) })
    start = part.endsAt
  }
  return parts
}

const startOfDay = (day: string, timeZone: string): Date => toInstant(day, 0, timeZone)

/** 1440, or an hour less or more on a day when the clocks change. */
export const minutesOfDay = (day: string, timeZone: string): number =>
  minutesOfSpan({
    startsAt: startOfDay(day, timeZone),
    endsAt: startOfDay(addDays(day, 1), timeZone),
  })

/** A time such as 18:30, in the school's time zone. */
export const wallTime = (instant: string | Date, timeZone: string): string =>
  clockTime(minuteIn(timeZone, new Date(instant)))

/** Minute 1110 of a day → "18:30" */
export function clockTime(minute: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}
