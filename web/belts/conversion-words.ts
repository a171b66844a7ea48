import type { ConversionPreview, Rank } from '@tatami/contract/belts/belts'
import { joinWords, pluralize } from '../lib/text.ts'

type Belt = ConversionPreview['belts'][number]
/** The rank of the new ladder for each belt in use, by the id of that belt's rank; '' leaves those students where they are. */
export type Choices = Record<string, string>

export const suggestedChoices = (belts: readonly Belt[]): Choices =>
  Object.fromEntries(
    belts.map(({ from_rank_id, suggested_rank_id }) => [from_rank_id, suggested_rank_id]),
  )

export const chosenBelts = (belts: readonly Belt[], choices: Choices): Belt[] =>
  belts.filter(({ from_rank_id }) => choices[from_rank_id])

export const countOf = (belts: readonly Belt[]): number =>
  belts.reduce((sum, { students }) => sum + students, 0)

/** "38 students come to Juniors: 23 Yellow belt → 8th kyu, 15 White belt → 9th kyu. 2 stay where they are." */
export function previewSentence(
  ladder: string,
  belts: readonly Belt[],
  choices: Choices,
  ranks: readonly Pick<Rank, 'id' | 'name'>[],
): string {
  const nameOf = (id: string | undefined) => ranks.find((rank) => rank.id === id)?.name ?? ''
  const coming = chosenBelts(belts, choices)
  const staying = countOf(belts) - countOf(coming)
  const stay =
    staying > 0
      ? `${pluralize(staying, 'student')} ${staying === 1 ? 'stays' : 'stay'} where they are.`
      : ''
  if (coming.length === 0) return stay
  const total = countOf(coming)
  const list = coming
    .map(
      ({ students, name, from_rank_id }) =>
        `${students} ${name} → ${nameOf(choices[from_rank_id])}`,
    )
    .join(', ')
  return joinWords(
    [
      `${pluralize(total, 'student')} ${total === 1 ? 'comes' : 'come'} to ${ladder}: ${list}.`,
      stay,
    ],
    ' ',
  )
}
