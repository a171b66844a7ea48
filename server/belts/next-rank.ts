import { birthdayOf, yearOf } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import { ageForLadder } from './rank-for-belt.ts'
import type { LadderRow, LadderWithRanks, RankRow } from './styles.ts'

type Ages = Pick<LadderRow, 'max_age' | 'age_counts'>
type OrderedRank = Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>

/** A birthday on February 29 is on the 28th in other years. */
export const ageReachedOn = (
  ageCounts: LadderRow['age_counts'],
  dateOfBirth: string,
  age: number,
): string =>
  ageCounts === 'calendar_year'
    ? `${yearOf(dateOfBirth) + age}-01-01`
    : birthdayOf(dateOfBirth, age)

export const outgrownOn = (
  { max_age, age_counts }: Ages,
  dateOfBirth: string | null,
): string | null =>
  max_age === null || dateOfBirth === null
    ? null
    : ageReachedOn(age_counts, dateOfBirth, max_age + 1)

export const hasOutgrown = (
  { max_age, age_counts }: Ages,
  day: string,
  dateOfBirth: string | null,
): boolean =>
  max_age !== null && dateOfBirth !== null && ageForLadder(age_counts, day, dateOfBirth) > max_age

/** Undefined at the top. After a retired rank comes the first rank that counts as a higher belt. */
function rankAfter<R extends OrderedRank>(ranks: readonly R[], currentId: string): R | undefined {
  const currentIndex = ranks.findIndex(({ id }) => id === currentId)
  const currentRank = ranks[currentIndex]
  if (!currentRank) return undefined
  const isInUse = ({ retired_at }: R) => retired_at === null
  if (isInUse(currentRank)) return ranks.slice(currentIndex + 1).find(isInUse)
  const beltIndex = BELTS.indexOf(currentRank.belt_level)
  return ranks.find((rank) => isInUse(rank) && BELTS.indexOf(rank.belt_level) > beltIndex)
}

/** `outgrown`: the student is too old for the ladder, and an instructor has to choose a rank. */
export type NextRank = { rank: RankRow; ladder: LadderWithRanks } | 'top' | 'outgrown'

export const rankToReach = (next: NextRank): RankRow | null =>
  next === 'top' || next === 'outgrown' ? null : next.rank

/** A birthday never moves a student to another ladder. */
export function findNextRank(
  ladders: readonly LadderWithRanks[],
  currentRank: Pick<RankRow, 'id' | 'ladder_id'>,
  day: string,
  dateOfBirth: string | null,
): NextRank {
  const ladder = ladders.find(({ id }) => id === currentRank.ladder_id)
  if (!ladder) return 'top'
  if (hasOutgrown(ladder, day, dateOfBirth)) return 'outgrown'
  const rank = rankAfter(ladder.ranks, currentRank.id)
  return rank ? { rank, ladder } : 'top'
}
