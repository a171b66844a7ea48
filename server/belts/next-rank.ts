import { birthdayOf, yearOf } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import { ageAs } from './rank-of-level.ts'
import type { LadderRow, LadderWithRanks, RankRow } from './styles.ts'

type Ages = Pick<LadderRow, 'max_age' | 'age_counts'>
type OrderedRank = Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>

/** The first day on which somebody is that old, as the ladder counts: the birthday, of February 29 the 28th where there is no 29th, or January 1. */
export const ageReachedOn = (
  counts: LadderRow['age_counts'],
  dateOfBirth: string,
  age: number,
): string =>
  counts === 'calendar_year' ? `${yearOf(dateOfBirth) + age}-01-01` : birthdayOf(dateOfBirth, age)

/** The first day on which somebody is too old for a ladder; null where it has no end, or no date of birth is known. */
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

/**
 * The rank after the one that is held, `ranks` being those of its ladder from the lowest up; undefined at the top. Retired ranks are skipped.
 * Who holds a retired one, which has lost its place, goes on with the first that counts as a higher belt.
 */
function rankAfter<R extends OrderedRank>(ranks: readonly R[], heldId: string): R | undefined {
  const heldIndex = ranks.findIndex(({ id }) => id === heldId)
  const heldRank = ranks[heldIndex]
  const isNext = ({ belt_level }: R, place: number) =>
    heldRank?.retired_at
      ? BELTS.indexOf(belt_level) > BELTS.indexOf(heldRank.belt_level)
      : place > heldIndex
  return heldRank && ranks.find((rank, place) => rank.retired_at === null && isNext(rank, place))
}

/** What comes next for somebody on a day: a rank of the ladder on which they stand; nothing at the top; or, past its highest age, a rank that
 *  has to be chosen by hand. */
export type Next = { rank: RankRow; ladder: LadderWithRanks } | 'top' | 'outgrown'

/** `ladders` are those of the style, among them the one with the rank that is held. Nobody is moved to another ladder by a birthday. */
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
