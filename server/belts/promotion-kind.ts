import { mustExist } from '@tatami/contract/lib/must-exist'
import { type Belt, BELTS, type PromotionKind } from '@tatami/contract/lib/ranks'
import { invalid } from '../lib/refusal.ts'
import type { CurrentRank } from './current-ranks.ts'
import type { EffectiveChange, LockedStudent } from './history.ts'
import type { LadderRow, RankRow } from './styles.ts'

type RankChange = {
  student: LockedStudent
  rank: RankRow
  given_on: string
  kind: PromotionKind | undefined
  ladders: (LadderRow & { ranks: RankRow[] })[]
}

type ClassifiedChange = { kind: PromotionKind; previous_belt: Belt; isAnnounced: boolean }

/** Determines the kind of a new change. `history` has the student's earlier rank changes, newest
 *  first. */
export function classifyChange(
  currentRank: CurrentRank | undefined,
  history: readonly EffectiveChange[],
  change: RankChange,
): ClassifiedChange {
  const { student, rank, given_on } = change
  // `promotion` is the form's default, so the ranks decide what kind of change it is.
  const explicitKind = change.kind === 'promotion' ? undefined : change.kind
  const [lastChange] = history
  const isFirst = !lastChange || lastChange.kind === 'start'
  if (!isFirst && given_on < lastChange.given_on)
    return {
      kind: explicitKind ?? 'promotion',
      previous_belt: findBeltBefore(history, given_on),
      isAnnounced: false,
    }
  const previous_belt = currentRank?.rank.belt_level ?? rank.belt_level
  if (currentRank?.rank.id === rank.id) {
    if (!isFirst && !explicitKind)
      throw invalid('promotions', `${student.name} already has this rank.`)
    return { kind: explicitKind ?? 'import', previous_belt, isAnnounced: false }
  }
  const kind = explicitKind ?? determineKind(currentRank?.rank, rank, change.ladders)
  return { kind, previous_belt, isAnnounced: ANNOUNCED_KINDS.has(kind) }
}

const ANNOUNCED_KINDS: ReadonlySet<PromotionKind> = new Set(['promotion', 'skip', 'conversion'])

/** The history must not be empty. */
function findBeltBefore(history: readonly EffectiveChange[], day: string): Belt {
  const earlierChange = history.find(({ kind, given_on }) => kind === 'start' || given_on <= day)
  return earlierChange?.belt_level ?? mustExist(history.at(-1), 'The oldest change').previous_belt
}

export function determineKind(
  oldRank: RankRow | undefined,
  newRank: RankRow,
  ladders: RankChange['ladders'],
): PromotionKind {
  if (!oldRank) return 'promotion'
  const isLower = BELTS.indexOf(newRank.belt_level) < BELTS.indexOf(oldRank.belt_level)
  if (oldRank.ladder_id !== newRank.ladder_id) return isLower ? 'correction' : 'conversion'
  if (oldRank.retired_at !== null) return isLower ? 'correction' : 'promotion'
  if (newRank.place < oldRank.place) return 'correction'
  const ladder = ladders.find(({ id }) => id === newRank.ladder_id)
  const isSkipped = ({ place, retired_at }: RankRow) =>
    retired_at === null && place > oldRank.place && place < newRank.place
  return ladder?.ranks.some(isSkipped) ? 'skip' : 'promotion'
}
