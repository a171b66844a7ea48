import { DAY_MS } from '../lib/clock.ts'

/** Days on vacation, both included; without a last day it has no end yet. */
export type AwayDays = { from: string; until: string | null }

const numberOf = (day: string) => Date.parse(day) / DAY_MS
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** A later or earlier calendar date. */
export const plusDays = (day: string, days: number): string => dayOf(numberOf(day) + days)
/** How many days the second calendar date is after the first. */
export const daysBetween = (first: string, second: string): number =>
  numberOf(second) - numberOf(first)

/** Calendar months later, on the same day of the month, or its last: a month after January 31 is February 28 or 29. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)))
    .toISOString()
    .slice(0, 10)
}

/** Apart from each other and in order, as day numbers; without the days up to `since`, which do not count anyway. */
function apart(away: readonly AwayDays[], since: string): [first: number, last: number][] {
  const parts: [number, number][] = []
  for (const { from, until } of away.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const first = Math.max(
      numberOf(from),
      numberOf(since) + 1,
      (parts.at(-1)?.[1] ?? -Infinity) + 1,
    )
    const last = until === null ? Infinity : numberOf(until)
    if (first <= last && Number.isFinite(first)) parts.push([first, last])
  }
  return parts
}

/** The day that it would be if the days on vacation since the promotion had not been. Before the promotion, the day itself. */
export function dayWithout(away: readonly AwayDays[], since: string, day: string): string {
  const today = numberOf(day)
  const lost = apart(away, since).map(([first, last]) =>
    Math.max(0, Math.min(last, today) - first + 1),
  )
  return dayOf(today - lost.reduce((sum, days) => sum + days, 0))
}

/** The first day on which the time since the promotion reaches `goal`, the day on which it would without any vacation; null where a vacation
 *  without an end lies before it. */
export function dayReached(away: readonly AwayDays[], since: string, goal: string): string | null {
  let reached = numberOf(goal)
  for (const [first, last] of apart(away, since)) if (first <= reached) reached += last - first + 1
  return Number.isFinite(reached) ? dayOf(reached) : null
}

/** Whole calendar months from the promotion to a day; none before it. */
export function monthsBetween(since: string, day: string): number {
  const [ofSince, ofDay] = [since, day].map(
    (one) => Number(one.slice(0, 4)) * 12 + Number(one.slice(5, 7)),
  )
  const months = ofDay! - ofSince!
  return Math.max(0, plusMonths(since, months) <= day ? months : months - 1)
}
