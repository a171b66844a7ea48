import { fold } from './values.ts'

/** In brackets, or behind a dash, a colon or another sign that ends a name. */
const ASIDE = /\([^)]*\)?|\[[^\]]*\]?|(?:\s[-–—]+|[-–—]+\s|[;:|*!]+)[^-–—;:|*!()[\]]*/g
/** The same before a name: "INACTIVE - Ken Adams", "*QUIT* Ken Adams". */
const LEADING = /^[\s*!]*[^-–—;:|*!()[\]]+(?:\s[-–—]+\s?|[-–—]+\s|[;:|*!]+)/
const SIGNS_AT_ENDS = /^[\s\-–—;:|*!,]+|[\s\-–—;:|*!,(]+$/g

const trimSigns = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(SIGNS_AT_ENDS, '')

export type CellWithAside = {
  /** What stands in the cell besides. */
  text: string
  /** The words that were asked for, as the cell writes them; null where there are none. */
  words: string | null
}

/** Takes the asides whose folded words pass the test out of a cell: "quit" of "Mia Ruiz - quit". */
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

/**
 * The same of words that may stand anywhere, also without a sign before them: "DO NOT TEXT" of
 * "Ann Cole DO NOT TEXT".
 */
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

/** A cell of a name has few words; of a longer one the whole is taken. */
const MOST_WORDS = 20

/** Belongs to what follows, also where that is clear without it. */
const POLITE_WORD = /^\W*(do|please|pls)$/i

function shortestPart(words: readonly string[], test: (words: string) => boolean) {
  if (words.length > MOST_WORDS) return [0, words.length] as const
  for (let length = 1; length <= words.length; length += 1)
    for (let start = 0; start + length <= words.length; start += 1)
      if (test(fold(words.slice(start, start + length).join(' '))))
        return [start - (POLITE_WORD.test(words[start - 1] ?? '') ? 1 : 0), start + length] as const
  return [0, words.length] as const
}
