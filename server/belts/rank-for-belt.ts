import { ageOn, yearOf } from '@tatami/contract/lib/calendar-day'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'

type Ages = {
  min_age: number | null
  max_age: number | null
  age_counts: 'birthday' | 'calendar_year'
}
type Retirable = { retired_at: string | null }
type LevelledRank = Retirable & { belt_level: Belt }

/** The ladder says whether birthdays or calendar years count. */
export const ageForLadder = (
  ageCounts: Ages['age_counts'],
  day: string,
  dateOfBirth: string,
): number =>
  ageCounts === 'calendar_year' ? yearOf(day) - yearOf(dateOfBirth) : ageOn(day, dateOfBirth)

/** True also for a student whose age is not known. */
export function isAgeForLadder(
  { min_age, max_age, age_counts }: Ages,
  day: string,
  dateOfBirth: string | null,
): boolean {
  if (dateOfBirth === null) return true
  const age = ageForLadder(age_counts, day, dateOfBirth)
  return (min_age === null || age >= min_age) && (max_age === null || age <= max_age)
}

/** Returns the first ladder for this age, or else the first. Retired ladders are a last resort. */
export function ladderForAge<L extends Ages & Retirable>(
  ladders: readonly L[],
  day: string,
  dateOfBirth: string | null,
): L | undefined {
  const currentLadders = ladders.filter(({ retired_at }) => retired_at === null)
  const choices = currentLadders.length > 0 ? currentLadders : ladders
  return choices.find((ladder) => isAgeForLadder(ladder, day, dateOfBirth)) ?? choices[0]
}

/** If no rank counts as the belt, returns the highest rank below it, or else the lowest rank. */
export function rankForBelt<R extends LevelledRank>(
  ranks: readonly R[],
  level: Belt,
): R | undefined {
  const currentRanks = ranks.filter(({ retired_at }) => retired_at === null)
  const levelIndex = BELTS.indexOf(level)
  return (
    currentRanks.find(({ belt_level }) => belt_level === level) ??
    currentRanks.findLast(({ belt_level }) => BELTS.indexOf(belt_level) < levelIndex) ??
    currentRanks[0] ??
    ranks[0]
  )
}
