import type { CurrentRank } from '../belts/current-ranks.ts'
import type { RankRow } from '../belts/styles.ts'

type ComparedRank = Pick<RankRow, 'id' | 'ladder_id' | 'place' | 'retired_at'>

/** True for the rank itself, and for a higher one of its ladder. Retired ranks have no place. */
export const isAtLeast = (heldRank: ComparedRank, rank: ComparedRank): boolean =>
  heldRank.id === rank.id ||
  (heldRank.ladder_id === rank.ladder_id &&
    heldRank.retired_at === null &&
    heldRank.place > rank.place)

/** A rank inferred from the student's belt was not given: it has no promotion. */
export const wasGivenRank = (currentRank: CurrentRank | undefined, rank: ComparedRank): boolean =>
  currentRank !== undefined &&
  currentRank.promotion_id !== null &&
  isAtLeast(currentRank.rank, rank)
