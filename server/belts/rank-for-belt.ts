import { ageOn, yearOf } from '@tatami/contract/lib/calendar-day'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'

type AgeRange = {
  min_age: number | null
  max_age: number | null
  age_counts: 'birthday' | 'calendar_year'
}
type Retirable = { retired_at: string | null }
type LevelledRank = Retirable & { belt_level: Belt }

/** Returns a person's age on a day, as the ladder counts it: by birthday or by calendar year. */
export const computeLadderAge = (
  ageCounts: AgeRange['age_counts'],
  day: string,
  dateOfBirth: string,
): number =>
  ageCounts === 'calendar_year' ? yearOf(day) - yearOf(dateOfBirth) : ageOn(day, dateOfBirth)

/** Returns true for a student without a date of birth. */
export function isAgeForLadder(
  { min_age, max_age, age_counts }: AgeRange,
  day: string,
  dateOfBirth: string | null,
): boolean {
  if (dateOfBirth === null) return true
  const age = computeLadderAge(age_counts, day, dateOfBirth)
  return (min_age === null || age >= min_age) && (max_age === null || age <= max_age)
}

/** Returns the first ladder for this age or, if there is none, the first ladder. Retired ladders are
 *  used only if there are no others. */
export function findLadderForAge<Ladder extends AgeRange & Retirable>(
  ladders: readonly Ladder[],
  day: string,
  dateOfBirth: string | null,
): Ladder | undefined {
  const currentLadders = ladders.filter(({ retired_at }) => retired_at === null)
  const usableLadders = currentLadders.length > 0 ? currentLadders : ladders
  return (
    usableLadders.find((ladder) => isAgeForLadder(ladder, day, dateOfBirth)) ?? usableLadders[0]
  )
}

/** If no rank counts as the belt, returns the highest rank below it or, if there is none, the lowest
 *  rank. */
export function findRankForBelt<Rank extends LevelledRank>(
  ranks: readonly Rank[],
  level: Belt,
): Rank | undefined {
  const currentRanks = ranks.filter(({ retired_at }) => retired_at === null)
  const levelIndex = BELTS.indexOf(level)
  return (
    currentRanks.find(({ belt_level }) => belt_level === level) ??
    currentRanks.findLast(({ belt_level }) => BELTS.indexOf(belt_level) < levelIndex) ??
    currentRanks[0] ??
    ranks[0]
  )
}
