import { birthdayOf, yearOf } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import { ageAs } from './rank-of-level.ts'
import type { LadderRow, LadderWithRanks, RankRow } from './styles.ts'

type Ages = Pick<LadderRow, 'max_age' | 'age_counts'>
type OrderedRank = Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>

/** Birthdays of February 29 are on the 28th in other years. */
export const ageReachedOn = (
  counts: LadderRow['age_counts'],
  dateOfBirth: string,
  age: number,
): string =>
  counts === 'calendar_year' ? `${yearOf(dateOfBirth) + age}-01-01` : birthdayOf(dateOfBirth, age)

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
  max_age !== null && dateOfBirth !== null && ageAs(age_counts, day, dateOfBirth) > max_age

/** The next rank of a ladder; undefined at the top. Retired ranks are skipped. After a retired
 *  rank comes the first that counts as a higher belt. */
function rankAfter<R extends OrderedRank>(ranks: readonly R[], heldId: string): R | undefined {
  const heldIndex = ranks.findIndex(({ id }) => id === heldId)
  const heldRank = ranks[heldIndex]
  const isNext = ({ belt_level }: R, place: number) =>
    heldRank?.retired_at
      ? BELTS.indexOf(belt_level) > BELTS.indexOf(heldRank.belt_level)
      : place > heldIndex
  return heldRank && ranks.find((rank, place) => rank.retired_at === null && isNext(rank, place))
}

/** `outgrown`: the student is too old for the ladder, and an instructor has to choose a rank. */
export type Next = { rank: RankRow; ladder: LadderWithRanks } | 'top' | 'outgrown'

/** A birthday never moves anybody to another ladder. */
export function nextOf(
  ladders: readonly LadderWithRanks[],
  currentRank: Pick<RankRow, 'id' | 'ladder_id'>,
  day: string,
  dateOfBirth: string | null,
): Next {
  const ladder = ladders.find(({ id }) => id === currentRank.ladder_id)
  if (!ladder) return 'top'
  if (hasOutgrown(ladder, day, dateOfBirth)) return 'outgrown'
  const rank = rankAfter(ladder.ranks, currentRank.id)
  return rank ? { rank, ladder } : 'top'
}
