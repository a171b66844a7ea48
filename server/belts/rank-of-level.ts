import { ageOn, yearOf } from '@tatami/contract/lib/calendar-day'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'

type Ages = {
  min_age: number | null
  max_age: number | null
  age_counts: 'birthday' | 'calendar_year'
}
type Retirable = { retired_at: string | null }
type LevelledRank = Retirable & { belt_level: Belt }

/** Age in years on a calendar date, as the ladder counts it. */
export const ageAs = (counts: Ages['age_counts'], day: string, dateOfBirth: string): number =>
  counts === 'calendar_year' ? yearOf(day) - yearOf(dateOfBirth) : ageOn(day, dateOfBirth)

export function isFor(
  { min_age, max_age, age_counts }: Ages,
  day: string,
  dateOfBirth: string | null,
): boolean {
  if (dateOfBirth === null) return true
  const age = ageAs(age_counts, day, dateOfBirth)
  return (min_age === null || age >= min_age) && (max_age === null || age <= max_age)
}

/** The oldest ladder for this age. If none fits, or the age is not known, the oldest of all.
 *  Retired ladders count only if all are retired. */
export function ladderForAge<L extends Ages & Retirable>(
  ladders: readonly L[],
  day: string,
  dateOfBirth: string | null,
): L | undefined {
  const inUse = ladders.filter(({ retired_at }) => retired_at === null)
  const possible = inUse.length > 0 ? inUse : ladders
  return possible.find((ladder) => isFor(ladder, day, dateOfBirth)) ?? possible[0]
}

/** The lowest rank that counts as this belt. Otherwise the highest below, or the lowest of all. */
export function rankOfLevel<R extends LevelledRank>(
  ranks: readonly R[],
  level: Belt,
): R | undefined {
  const inUse = ranks.filter(({ retired_at }) => retired_at === null)
  const levelIndex = BELTS.indexOf(level)
  return (
    inUse.find(({ belt_level }) => belt_level === level) ??
    inUse.findLast(({ belt_level }) => BELTS.indexOf(belt_level) < levelIndex) ??
    inUse[0] ??
    ranks[0]
  )
}
