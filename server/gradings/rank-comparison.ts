import type { CurrentRank } from '../belts/current-ranks.ts'
import type { RankRow } from '../belts/styles.ts'

type ComparedRank = Pick<RankRow, 'id' | 'ladder_id' | 'place' | 'retired_at'>

/** Returns true if a student who holds `heldRank` already has `rank` or a higher rank of its
 *  ladder. A retired rank is neither higher nor lower. */
export const isAtLeast = (heldRank: ComparedRank, rank: ComparedRank): boolean =>
  heldRank.id === rank.id ||
  (heldRank.ladder_id === rank.ladder_id &&
    heldRank.retired_at === null &&
    heldRank.place > rank.place)

/** Returns whether the student was given the rank or a higher one. A current rank without a
 *  promotion was not given, but inferred from the student's belt. */
export const wasGivenRank = (currentRank: CurrentRank | undefined, rank: ComparedRank): boolean =>
  currentRank !== undefined &&
  currentRank.promotion_id !== null &&
  isAtLeast(currentRank.rank, rank)
