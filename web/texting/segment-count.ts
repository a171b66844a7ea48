import { fillTemplate } from '@tatami/contract/message-types'
import { segmentsOf } from '@tatami/contract/segments'

export type Weight = { texts: number; least: number; most: number; total: number; cause: 'words' | 'name' | null }

/** How many segments the words take for each of these people, and what makes more than one of a text by a character outside GSM-7.
 *  Names of one first name are weighed once. */
export function weightOf(words: string, names: readonly string[]): Weight {
  const known = new Map<string, ReturnType<typeof segmentsOf>>()
  const weigh = (text: string) => {
    const weight = known.get(text) ?? segmentsOf(text)
    known.set(text, weight)
    return weight
  }
  const weights = names.map((name) => weigh(fillTemplate(words.trim(), name)))
  const isLonger = weights.some((weight) => weight.encoding === 'Unicode' && weight.segments > 1)
  const segments = weights.map((weight) => weight.segments)
  return {
    texts: names.length,
    least: segments.reduce((least, one) => Math.min(least, one), Infinity),
    most: segments.reduce((most, one) => Math.max(most, one), 0),
    total: segments.reduce((sum, one) => sum + one, 0),
    cause: !isLonger ? null : segmentsOf(words).encoding === 'Unicode' ? 'words' : 'name',
  }
}
