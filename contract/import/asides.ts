import { normalizeText } from './values.ts'

/** A remark in brackets, or after a dash, a colon or another sign that ends a name. */
const ASIDE = /\([^)]*\)?|\[[^\]]*\]?|(?:\s[-–—]+|[-–—]+\s|[;:|*!]+)[^-–—;:|*!()[\]]*/g
/** A remark in front of a name: "INACTIVE - Ken Adams", "*QUIT* Ken Adams". */
const LEADING_ASIDE = /^[\s*!]*[^-–—;:|*!()[\]]+(?:\s[-–—]+\s?|[-–—]+\s|[;:|*!]+)/
const SIGNS_AT_ENDS = /^[\s\-–—;:|*!,]+|[\s\-–—;:|*!,(]+$/g

const trimSigns = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(SIGNS_AT_ENDS, '')

export type CellWithoutAsides = {
  text: string
  removed: string | null
}

/** Removes remarks that pass the test: "quit" from "Mia Ruiz - quit". */
export function removeAsides(cell: string, isAside: (words: string) => boolean): CellWithoutAsides {
  const asides: string[] = []
  const removeAside = (aside: string) => {
    const words = trimSigns(aside.replaceAll(/[()[\]]/g, ' '))
    if (words === '' || !isAside(normalizeText(words))) return aside
    asides.push(words)
    return ' '
  }
  const text = cell.replace(LEADING_ASIDE, removeAside).replaceAll(ASIDE, removeAside)
  return asides.length === 0
    ? { text: cell, removed: null }
    : { text: trimSigns(text), removed: asides.join(', ') }
}

/** Also removes a phrase without brackets or signs: "DO NOT TEXT" from "Ann Cole DO NOT TEXT". */
export function removePhrase(cell: string, isAside: (words: string) => boolean): CellWithoutAsides {
  const withoutAsides = removeAsides(cell, isAside)
  if (!isAside(normalizeText(withoutAsides.text))) return withoutAsides
  const words = withoutAsides.text.split(/\s+/)
  const [start, end] = findShortestMatch(words, isAside)
  const removedWords = trimSigns(words.slice(start, end).join(' '))
  return {
    text: trimSigns([...words.slice(0, start), ...words.slice(end)].join(' ')),
    removed: [removedWords, withoutAsides.removed].filter(Boolean).join(', '),
  }
}

/** A longer cell is removed as a whole, because the search time grows with the square of it. */
const MAX_SEARCHED_WORDS = 20

const POLITE_WORD = /^\W*(do|please|pls)$/i

function findShortestMatch(words: readonly string[], isAside: (words: string) => boolean) {
  if (words.length > MAX_SEARCHED_WORDS) return [0, words.length] as const
  for (let length = 1; length <= words.length; length += 1)
    for (let start = 0; start + length <= words.length; start += 1)
      if (isAside(normalizeText(words.slice(start, start + length).join(' '))))
        return [start - (POLITE_WORD.test(words[start - 1] ?? '') ? 1 : 0), start + length] as const
  return [0, words.length] as const
}
