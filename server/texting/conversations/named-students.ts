import { firstName } from '@tatami/contract/lib/name-parts'
import type { PhoneHolder } from '@tatami/contract/texting/phones'
import { normalize } from '@tatami/contract/lib/name-search'

const splitIntoWords = (text: string) =>
  normalize(text)
    .split(/[\s,;:&.!-]+/)
    .filter((word) => word !== '')

/** Returns the students that the text names. An empty text names all students. A text that also
 *  contains other words names none. */
export function findHoldersNamedIn(text: string, holders: readonly PhoneHolder[]): PhoneHolder[] {
  const words = splitIntoWords(text).filter((word) => word !== 'and')
  if (words.length === 0) return [...holders]
  const namedHolders = holders.filter(({ name }) =>
    splitIntoWords(firstName(name)).every((word) => words.includes(word)),
  )
  const allowedWords = new Set(namedHolders.flatMap(({ name }) => splitIntoWords(name)))
  return words.every((word) => allowedWords.has(word)) ? namedHolders : []
}
