import { birthdayOf, yearOf } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import { computeLadderAge } from './rank-for-belt.ts'
import type { LadderRow, LadderWithRanks, RankRow } from './styles.ts'

type AgeLimit = Pick<LadderRow, 'max_age' | 'age_counts'>
type OrderedRank = Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>

/** Returns the day on which a student reaches an age, as the ladder counts ages. A birthday on
 *  February 29 moves to the 28th in other years. */
export const findDayOfAge = (
  ageCounts: LadderRow['age_counts'],
  dateOfBirth: string,
  age: number,
): string =>
  ageCounts === 'calendar_year'
    ? `${yearOf(dateOfBirth) + age}-01-01`
    : birthdayOf(dateOfBirth, age)

export const findDayOutgrown = (
  { max_age, age_counts }: AgeLimit,
  dateOfBirth: string | null,
): string | null =>
  max_age === null || dateOfBirth === null
    ? null
    : findDayOfAge(age_counts, dateOfBirth, max_age + 1)

export const hasOutgrown = (
  { max_age, age_counts }: AgeLimit,
  day: string,
  dateOfBirth: string | null,
): boolean =>
  max_age !== null &&
  dateOfBirth !== null &&
  computeLadderAge(age_counts, day, dateOfBirth) > max_age

/** Returns undefined for the highest rank. After a retired rank comes the first rank that counts as
 *  a higher belt. */
function findRankAfter<Rank extends OrderedRank>(
  ranks: readonly Rank[],
  currentId: string,
): Rank | undefined {
  const currentIndex = ranks.findIndex(({ id }) => id === currentId)
  const currentRank = ranks[currentIndex]
  if (!currentRank) return undefined
  const isInUse = ({ retired_at }: Rank) => retired_at === null
  if (isInUse(currentRank)) return ranks.slice(currentIndex + 1).find(isInUse)
  const beltIndex = BELTS.indexOf(currentRank.belt_level)
  return ranks.find((rank) => isInUse(rank) && BELTS.indexOf(rank.belt_level) > beltIndex)
}

/** `top` means that there is no higher rank. `outgrown` means that the student is too old for the
 *  ladder, so an instructor has to choose a rank of another one. */
export type NextRank = { rank: RankRow; ladder: LadderWithRanks } | 'top' | 'outgrown'

export const getNextRank = (next: NextRank): RankRow | null =>
  next === 'top' || next === 'outgrown' ? null : next.rank

/** Stays on the student's ladder, because only an instructor can move a student to another one. */
export function findNextRank(
  ladders: readonly LadderWithRanks[],
  currentRank: Pick<RankRow, 'id' | 'ladder_id'>,
  day: string,
  dateOfBirth: string | null,
): NextRank {
  const ladder = ladders.find(({ id }) => id === currentRank.ladder_id)
  if (!ladder) return 'top'
  if (hasOutgrown(ladder, day, dateOfBirth)) return 'outgrown'
  const rank = findRankAfter(ladder.ranks, currentRank.id)
  return rank ? { rank, ladder } : 'top'
}
