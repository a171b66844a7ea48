import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'

/** Days on vacation, both included; without a last day it has no end yet. */
export type AwayDays = { from: string; until: string | null }

/**
 * The vacations in order and without overlaps, in days after `since`. The days up to it are left
 * out, because they do not count anyway.
 */
function apart(away: readonly AwayDays[], since: string): [first: number, last: number][] {
  const parts: [number, number][] = []
  for (const { from, until } of away.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const first = Math.max(daysBetween(since, from), (parts.at(-1)?.[1] ?? 0) + 1)
    const last = until === null ? Infinity : daysBetween(since, until)
    if (first <= last && Number.isFinite(first)) parts.push([first, last])
  }
  return parts
}

/** The day that it would be if the days on vacation since the promotion had not been. Before the promotion, the day itself. */
export function dayWithout(away: readonly AwayDays[], since: string, day: string): string {
  const today = daysBetween(since, day)
  const lost = apart(away, since).map(([first, last]) =>
    Math.max(0, Math.min(last, today) - first + 1),
  )
  return addDays(day, -lost.reduce((sum, days) => sum + days, 0))
}

/** The first day on which the time since the promotion reaches `goal`, the day on which it would without any vacation; null where a vacation
 *  without an end lies before it. */
export function dayReached(away: readonly AwayDays[], since: string, goal: string): string | null {
  let reached = daysBetween(since, goal)
  for (const [first, last] of apart(away, since)) if (first <= reached) reached += last - first + 1
  return Number.isFinite(reached) ? addDays(since, reached) : null
}
