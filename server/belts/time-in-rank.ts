import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'

/** Both days included; null is open-ended. */
export type AwayDays = { from: string; until: string | null }

/** Vacations in order, without overlaps, in days after the promotion. */
function mergeVacations(
  away: readonly AwayDays[],
  promotedOn: string,
): [first: number, last: number][] {
  const parts: [number, number][] = []
  for (const { from, until } of away.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const first = Math.max(daysBetween(promotedOn, from), (parts.at(-1)?.[1] ?? 0) + 1)
    const last = until === null ? Infinity : daysBetween(promotedOn, until)
    if (first <= last && Number.isFinite(first)) parts.push([first, last])
  }
  return parts
}

/** The day it would be without the days on vacation since the promotion. */
export function dayWithout(away: readonly AwayDays[], promotedOn: string, day: string): string {
  const today = daysBetween(promotedOn, day)
  const lostDays = mergeVacations(away, promotedOn).map(([first, last]) =>
    Math.max(0, Math.min(last, today) - first + 1),
  )
  return addDays(day, -lostDays.reduce((sum, days) => sum + days, 0))
}

/** The day on which the time since the promotion reaches `goal`, if vacations do not count. Null
 *  if an open-ended vacation comes first. */
export function dayReached(
  away: readonly AwayDays[],
  promotedOn: string,
  goal: string,
): string | null {
  let reachedDay = daysBetween(promotedOn, goal)
  for (const [first, last] of mergeVacations(away, promotedOn))
    if (first <= reachedDay) reachedDay += last - first + 1
  return Number.isFinite(reachedDay) ? addDays(promotedOn, reachedDay) : null
}
