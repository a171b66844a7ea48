import { fold } from './values.ts'

/** Words in brackets, or after a dash, a colon or another sign that ends a name. */
const ASIDE = /\([^)]*\)?|\[[^\]]*\]?|(?:\s[-–—]+|[-–—]+\s|[;:|*!]+)[^-–—;:|*!()[\]]*/g
/** The same in front of a name: "INACTIVE - Ken Adams", "*QUIT* Ken Adams". */
const LEADING = /^[\s*!]*[^-–—;:|*!()[\]]+(?:\s[-–—]+\s?|[-–—]+\s|[;:|*!]+)/
const SIGNS_AT_ENDS = /^[\s\-–—;:|*!,]+|[\s\-–—;:|*!,(]+$/g

const trimSigns = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(SIGNS_AT_ENDS, '')

export type CellWithAside = {
  text: string
  /** The removed words as the cell writes them; null if there are none. */
  words: string | null
}

/** Removes asides whose words pass the test: "quit" from "Mia Ruiz - quit". */
export function takeAsides(cell: string, isAside: (words: string) => boolean): CellWithAside {
  const asides: string[] = []
  const take = (aside: string) => {
    const words = trimSigns(aside.replaceAll(/[()[\]]/g, ' '))
    if (words === '' || !isAside(fold(words))) return aside
    asides.push(words)
    return ' '
  }
  const text = cell.replace(LEADING, take).replaceAll(ASIDE, take)
  return asides.length === 0
    ? { text: cell, words: null }
    : { text: trimSigns(text), words: asides.join(', ') }
}

/** Removes words anywhere, also without signs: "DO NOT TEXT" from "Ann Cole DO NOT TEXT". */
export function takeWords(cell: string, isAside: (words: string) => boolean): CellWithAside {
  const withoutAsides = takeAsides(cell, isAside)
  if (!isAside(fold(withoutAsides.text))) return withoutAsides
  const words = withoutAsides.text.split(/\s+/)
  const [start, end] = shortestPart(words, isAside)
  const removedWords = trimSigns(words.slice(start, end).join(' '))
  return {
    text: trimSigns([...words.slice(0, start), ...words.slice(end)].join(' ')),
    words: [removedWords, withoutAsides.words].filter(Boolean).join(', '),
  }
}

/** In a longer cell than this, all words are removed. */
const MOST_WORDS = 20

/** A word that belongs to the words after it. */
const POLITE_WORD = /^\W*(do|please|pls)$/i

function shortestPart(words: readonly string[], test: (words: string) => boolean) {
  if (words.length > MOST_WORDS) return [0, words.length] as const
  for (let length = 1; length <= words.length; length += 1)
    for (let start = 0; start + length <= words.length; start += 1)
      if (test(fold(words.slice(start, start + length).join(' '))))
        return [start - (POLITE_WORD.test(words[start - 1] ?? '') ? 1 : 0), start + length] as const
  return [0, words.length] as const
}
