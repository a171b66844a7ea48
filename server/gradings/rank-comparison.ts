import type { CurrentRank } from '../belts/current-ranks.ts'
import type { RankRow } from '../belts/styles.ts'

type ComparedRank = Pick<RankRow, 'id' | 'ladder_id' | 'place' | 'retired_at'>

/** Returns true for the rank itself and for higher ranks of its ladder. Retired ranks have no place
 *  on it. */
export const isAtLeast = (heldRank: ComparedRank, rank: ComparedRank): boolean =>
  heldRank.id === rank.id ||
  (heldRank.ladder_id === rank.ladder_id &&
    heldRank.retired_at === null &&
    heldRank.place > rank.place)

/** A rank without a promotion was only inferred from the student's belt. */
export const wasGivenRank = (currentRank: CurrentRank | undefined, rank: ComparedRank): boolean =>
  currentRank !== undefined &&
  currentRank.promotion_id !== null &&
  isAtLeast(currentRank.rank, rank)
