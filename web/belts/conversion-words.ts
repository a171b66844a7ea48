import type { ConversionPreview, Rank } from '@tatami/contract/belts/belts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type Belt = ConversionPreview['belts'][number]
/** By the rank held today, the new ladder's rank, or '' for no change. */
export type Choices = Record<string, string>

export const suggestedChoices = (belts: readonly Belt[]): Choices =>
  Object.fromEntries(
    belts.map(({ from_rank_id, suggested_rank_id }) => [from_rank_id, suggested_rank_id]),
  )

export const chosenBelts = (belts: readonly Belt[], choices: Choices): Belt[] =>
  belts.filter(({ from_rank_id }) => choices[from_rank_id])

/** The belts of `chosenBelts` with their new ranks, as the API takes them. */
export const toConversion = (belts: readonly Belt[], choices: Choices) =>
  belts.map(({ from_rank_id }) => ({ from_rank_id, to_rank_id: choices[from_rank_id] ?? '' }))

export const countOf = (belts: readonly Belt[]): number =>
  belts.reduce((sum, { students }) => sum + students, 0)

/** "Moves 23 students: 23 Yellow belt → 8th kyu. 2 students stay where they are." */
export function previewSentence(
  belts: readonly Belt[],
  choices: Choices,
  ranks: readonly Pick<Rank, 'id' | 'name'>[],
): string {
  const rankName = (id: string | undefined) => ranks.find((rank) => rank.id === id)?.name ?? ''
  const coming = chosenBelts(belts, choices)
  const steps = coming.map(
    ({ students, name, from_rank_id }) =>
      `${students} ${name} → ${rankName(choices[from_rank_id])}`,
  )
  const staying = countOf(belts) - countOf(coming)
  return joinNonEmpty(
    [
      steps.length > 0 && `Moves ${pluralize(countOf(coming), 'student')}: ${steps.join(', ')}.`,
      staying > 0 &&
        `${pluralize(staying, 'student')} ${staying === 1 ? 'stays' : 'stay'} where they are.`,
    ],
    ' ',
  )
}
