import type { ConversionPreview, Rank } from '@tatami/contract/belts/belts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type BeltInUse = ConversionPreview['belts'][number]
/** The id of a rank in use → the id of the rank that replaces it, or '' for no change. */
export type RankChoices = Record<string, string>

export const suggestChoices = (belts: readonly BeltInUse[]): RankChoices =>
  Object.fromEntries(
    belts.map(({ from_rank_id, suggested_rank_id }) => [from_rank_id, suggested_rank_id]),
  )

export const findMovedBelts = (belts: readonly BeltInUse[], choices: RankChoices): BeltInUse[] =>
  belts.filter(({ from_rank_id }) => choices[from_rank_id])

export const toConversionBody = (movedBelts: readonly BeltInUse[], choices: RankChoices) =>
  movedBelts.map(({ from_rank_id }) => ({ from_rank_id, to_rank_id: choices[from_rank_id] ?? '' }))

export const countStudentsWithBelts = (belts: readonly BeltInUse[]): number =>
  belts.reduce((sum, { students }) => sum + students, 0)

/** "Moves 23 students: 23 Yellow belt → 8th kyu. 2 students stay where they are." */
export function describeConversion(
  belts: readonly BeltInUse[],
  choices: RankChoices,
  ranks: readonly Pick<Rank, 'id' | 'name'>[],
): string {
  const rankName = (id: string | undefined) => ranks.find((rank) => rank.id === id)?.name ?? ''
  const movedBelts = findMovedBelts(belts, choices)
  const moves = movedBelts.map(
    ({ students, name, from_rank_id }) =>
      `${students} ${name} → ${rankName(choices[from_rank_id])}`,
  )
  const movedCount = countStudentsWithBelts(movedBelts)
  const stayingCount = countStudentsWithBelts(belts) - movedCount
  const verb = stayingCount === 1 ? 'stays' : 'stay'
  return joinNonEmpty(
    [
      movedCount > 0 && `Moves ${pluralize(movedCount, 'student')}: ${moves.join(', ')}.`,
      stayingCount > 0 && `${pluralize(stayingCount, 'student')} ${verb} where they are.`,
    ],
    ' ',
  )
}
