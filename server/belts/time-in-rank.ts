import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'

/** A vacation, including its first and last day. If `until` is null, it has no end yet. */
export type VacationPeriod = { from: string; until: string | null }

/** Sorts vacations and removes overlaps. Counts days from the promotion. */
function mergeVacations(
  vacations: readonly VacationPeriod[],
  promotedOn: string,
): [firstDay: number, lastDay: number][] {
  const periods: [number, number][] = []
  for (const { from, until } of vacations.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const firstDay = Math.max(daysBetween(promotedOn, from), (periods.at(-1)?.[1] ?? 0) + 1)
    const lastDay = until === null ? Infinity : daysBetween(promotedOn, until)
    if (firstDay <= lastDay && Number.isFinite(firstDay)) periods.push([firstDay, lastDay])
  }
  return periods
}

/** Moves `day` back by the vacation days between the promotion and `day`, so that vacations don't
 *  count as time in rank. */
export function subtractVacations(
  vacations: readonly VacationPeriod[],
  promotedOn: string,
  day: string,
): string {
  const daysSincePromotion = daysBetween(promotedOn, day)
  const vacationDays = mergeVacations(vacations, promotedOn).map(([firstDay, lastDay]) =>
    Math.max(0, Math.min(lastDay, daysSincePromotion) - firstDay + 1),
  )
  return addDays(day, -vacationDays.reduce((sum, days) => sum + days, 0))
}

/** Returns the goal plus all vacation days before it, or null if one of these vacations has no
 *  end. */
export function addVacations(
  vacations: readonly VacationPeriod[],
  promotedOn: string,
  goalWithoutVacations: string,
): string | null {
  let daysUntilGoal = daysBetween(promotedOn, goalWithoutVacations)
  for (const [firstDay, lastDay] of mergeVacations(vacations, promotedOn))
    if (firstDay <= daysUntilGoal) daysUntilGoal += lastDay - firstDay + 1
  return Number.isFinite(daysUntilGoal) ? addDays(promotedOn, daysUntilGoal) : null
}
