import type { ConversionPreview, Rank } from '@tatami/contract/belts/belts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type Belt = ConversionPreview['belts'][number]
/** For each rank in use, the id of the rank that replaces it, or '' for no change. */
export type Choices = Record<string, string>

export const suggestChoices = (belts: readonly Belt[]): Choices =>
  Object.fromEntries(
    belts.map(({ from_rank_id, suggested_rank_id }) => [from_rank_id, suggested_rank_id]),
  )

export const findMovedBelts = (belts: readonly Belt[], choices: Choices): Belt[] =>
  belts.filter(({ from_rank_id }) => choices[from_rank_id])

export const toConversion = (movedBelts: readonly Belt[], choices: Choices) =>
  movedBelts.map(({ from_rank_id }) => ({ from_rank_id, to_rank_id: choices[from_rank_id] ?? '' }))

export const countStudents = (belts: readonly Belt[]): number =>
  belts.reduce((sum, { students }) => sum + students, 0)

/** "Moves 23 students: 23 Yellow belt → 8th kyu. 2 students stay where they are." */
export function describeConversion(
  belts: readonly Belt[],
  choices: Choices,
  ranks: readonly Pick<Rank, 'id' | 'name'>[],
): string {
  const rankName = (id: string | undefined) => ranks.find((rank) => rank.id === id)?.name ?? ''
  const movedBelts = findMovedBelts(belts, choices)
  const moves = movedBelts.map(
    ({ students, name, from_rank_id }) =>
      `${students} ${name} → ${rankName(choices[from_rank_id])}`,
  )
  const movedCount = countStudents(movedBelts)
  const stayingCount = countStudents(belts) - movedCount
  const stay = stayingCount === 1 ? 'stays' : 'stay'
  return joinNonEmpty(
    [
      movedCount > 0 && `Moves ${pluralize(movedCount, 'student')}: ${moves.join(', ')}.`,
      stayingCount > 0 && `${pluralize(stayingCount, 'student')} ${stay} where they are.`,
    ],
    ' ',
  )
}
