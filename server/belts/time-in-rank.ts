import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'

/** Days on vacation, both included; without a last day it has no end yet. */
export type AwayDays = { from: string; until: string | null }

/**
 * The vacations in order and without overlaps, in days after `since`. The days up to it are left
 * out, because they do not count anyway.
 */
function apart(away: readonly AwayDays[], promotedOn: string): [first: number, last: number][] {
  const parts: [number, number][] = []
  for (const { from, until } of away.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const first = Math.max(daysBetween(promotedOn, from), (parts.at(-1)?.[1] ?? 0) + 1)
    const last = until === null ? Infinity : daysBetween(promotedOn, until)
    if (first <= last && Number.isFinite(first)) parts.push([first, last])
  }
  return parts
}

/** The day that it would be if the days on vacation since the promotion had not been. Before the promotion, the day itself. */
export function dayWithout(away: readonly AwayDays[], promotedOn: string, day: string): string {
  const today = daysBetween(promotedOn, day)
  const lostDays = apart(away, promotedOn).map(([first, last]) =>
    Math.max(0, Math.min(last, today) - first + 1),
  )
  return addDays(day, -lostDays.reduce((sum, days) => sum + days, 0))
}

/** The first day on which the time since the promotion reaches `goal`, the day on which it would without any vacation; null where a vacation
 *  without an end lies before it. */
export function dayReached(
  away: readonly AwayDays[],
  promotedOn: string,
  goal: string,
): string | null {
  let reachedDay = daysBetween(promotedOn, goal)
  for (const [first, last] of apart(away, promotedOn))
    if (first <= reachedDay) reachedDay += last - first + 1
  return Number.isFinite(reachedDay) ? addDays(promotedOn, reachedDay) : null
}
