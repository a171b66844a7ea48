import { firstName } from '@tatami/contract/lib/name-parts'
import type { Holder } from '@tatami/contract/texting/phones'
import { normalize } from '@tatami/contract/lib/name-search'

const wordsOf = (text: string) =>
  normalize(text)
    .split(/[\s,;:&.!-]+/)
    .filter((word) => word !== '')

/** The students named behind a command: all for "", none if there are other words. */
export function namedAmong(text: string, holders: readonly Holder[]): Holder[] {
  const words = wordsOf(text).filter((word) => word !== 'and')
  if (words.length === 0) return [...holders]
  const namedHolders = holders.filter(({ name }) =>
    wordsOf(firstName(name)).every((word) => words.includes(word)),
  )
  const knownWords = new Set(namedHolders.flatMap(({ name }) => wordsOf(name)))
  return words.every((word) => knownWords.has(word)) ? namedHolders : []
}
