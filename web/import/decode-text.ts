import { regex } from '@tatami/contract/import/patterns'

/** The encodings of software that does not use Unicode, the most common one in the US first. */
const ENCODINGS = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const

export type TextReading = {
  text: string
  /** Words that the readings spell differently. Empty if there is only one reading. */
  samples: string[]
}

const MAX_WORDS = 500
const MAX_SAMPLES = 3
const FIRST_NON_ASCII = 0x80

/** Returns one reading if there is no doubt. Otherwise, returns all possible readings, starting with
 *  the likeliest. */
export function decodeText(bytes: Uint8Array): TextReading[] {
  const unicode = decodeUnicode(bytes)
  if (unicode !== null) return [{ text: unicode, samples: [] }]
  const candidates = dropSameSpellings(findPlausibleSpellings(findWords(bytes)))
  const sampleIndexes = chooseSamples(candidates)
  return candidates.map(({ encoding, spellings }) => ({
    text: new TextDecoder(encoding).decode(bytes),
    samples: sampleIndexes.map((index) => spellings[index] ?? ''),
  }))
}

type Candidate = { encoding: string; spellings: string[] }

/** Keeps the encodings in which the fewest words look wrong, with the spelling of each word. */
function findPlausibleSpellings(words: readonly Uint8Array[]): Candidate[] {
  const candidates = ENCODINGS.map((encoding) => {
    const spellings = words.map((word) => new TextDecoder(encoding).decode(word))
    const rareCount = spellings.filter((spelling) => RARE_SPELLING.test(spelling)).length
    return { encoding, spellings, rareCount, oddCount: spellings.filter(looksMisspelled).length }
  })
  const lowestOddCount = Math.min(...candidates.map(({ oddCount }) => oddCount))
  return candidates
    .filter(({ oddCount }) => oddCount === lowestOddCount)
    .toSorted((a, b) => a.rareCount - b.rareCount)
}

/** Finds the first word that two encodings spell differently, or -1. */
const findDifference = (candidate: Candidate, alternative: Candidate): number =>
  candidate.spellings.findIndex((spelling, index) =>
    isOtherSpelling(spelling, alternative.spellings[index] ?? ''),
  )

/** If several encodings spell all words the same way, keeps only the first. */
const dropSameSpellings = (candidates: Candidate[]): Candidate[] =>
  candidates.filter(
    (candidate, index) =>
      !candidates.slice(0, index).some((earlier) => findDifference(earlier, candidate) < 0),
  )

/** Chooses words that tell all candidates apart. */
function chooseSamples(candidates: readonly Candidate[]): number[] {
  const indexes = new Set<number>()
  for (const [position, candidate] of candidates.entries())
    for (const alternative of candidates.slice(position + 1)) {
      const isToldApart = [...indexes].some((index) =>
        isOtherSpelling(candidate.spellings[index] ?? '', alternative.spellings[index] ?? ''),
      )
      if (!isToldApart) indexes.add(findDifference(candidate, alternative))
    }
  return [...addSamples(candidates, indexes)].toSorted((a, b) => a - b)
}

/** Adds words that differ from the likeliest spelling, up to `MAX_SAMPLES`. */
function addSamples([likeliest, ...alternatives]: readonly Candidate[], indexes: Set<number>) {
  for (const [index, spelling] of likeliest?.spellings.entries() ?? [])
    if (
      indexes.size < MAX_SAMPLES &&
      alternatives.some(({ spellings }) => isOtherSpelling(spelling, spellings[index] ?? ''))
    )
      indexes.add(index)
  return indexes
}

/** Excel saves CSV files as UTF-8, as UTF-16, or in an older encoding. Null for an older one. */
function decodeUnicode(bytes: Uint8Array): string | null {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff
  if (isLittleEndian) return new TextDecoder('utf-16le').decode(bytes)
  if (isBigEndian) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Tab, line breaks, space, and the punctuation between cells and names. */
const SEPARATORS = new Set([...'\t\n\r ,;|"()/'].map((character) => character.charCodeAt(0)))

/** Finds words with a letter outside ASCII. Other words look the same in all encodings. */
function findWords(bytes: Uint8Array): Uint8Array[] {
  const words = new Map<string, Uint8Array>()
  let start = 0
  let hasOtherLetter = false
  for (let index = 0; index <= bytes.length && words.size < MAX_WORDS; index += 1) {
    const byte = bytes[index]
    if (byte !== undefined && !SEPARATORS.has(byte)) {
      hasOtherLetter ||= byte >= FIRST_NON_ASCII
      continue
    }
    if (hasOtherLetter) words.set(bytes.subarray(start, index).join(), bytes.subarray(start, index))
    start = index + 1
    hasOtherLetter = false
  }
  return [...words.values()]
}

const CYRILLIC = /\p{Script=Cyrillic}/u
const LATIN = /\p{Script=Latin}/u
const ACCENTED_LETTER = /(?![A-Za-z])\p{L}/gu
/** "Mu–oz": punctuation between two letters, or a character that no name contains. */
const ODD_SIGN = regex('u')`
  \p{L}(?![’'‘.-])[^\p{L}\p{M}\p{N}\s]\p{L}|[‡†¶‰]|(?!°)[\p{Cc}\p{So}\p{Sm}\p{Sk}\uFFFD\p{Co}]`
/** "£ukasz Pawe³", which is "Łukasz Paweł" in Polish */
const SIGN_AS_LETTER = /[£¥¢¹²³ªº]\p{L}|\p{L}[£¥¢¹²³ªº]/u
/** "JosŽ": a capital other than A to Z after another letter. Odd only next to lowercase letters. */
const ODD_CAPITAL = /\p{L}(?![A-Z])\p{Lu}/u
/** "Ä95", which is "€95", "donít" and "OíBrien" with an apostrophe, or a ligature */
const ODD_LETTER = regex('u')`
  (?![A-Za-zªº])\p{L}\d|\d(?![A-Za-zªº])\p{L}|nít$|(?![a-z])\p{Ll}[A-Z]|[ﬁﬂ]`
/** Spellings that occur in names, but more often in the wrong encoding: "Petroviæ" for "Petrović",
 *  "Mar’a" for "María", "Jesœs" for "Jesús". */
const RARE_SPELLING = regex('u')`
  .æ$|ø[aiouyáíóúýě]|õ(?!e)|ã[b-df-hj-np-tv-z]|œ(?!u)|\p{L}‘|\p{Ll}’(?!(?:t|s|d|m|re|ll|ve)$)\p{Ll}`
const SHORTEST_CHECKED_WORD = 4
const MAX_ACCENTED_SHARE = 0.5

/** True if nobody would write a name this way, so the encoding is probably wrong. */
function looksMisspelled(word: string): boolean {
  if ([ODD_SIGN, SIGN_AS_LETTER, ODD_LETTER].some((pattern) => pattern.test(word))) return true
  if (CYRILLIC.test(word)) return LATIN.test(word) || isOddlyCapitalized(word)
  if (isOddlyCapitalized(word)) return true
  const accentedCount = word.match(ACCENTED_LETTER)?.length ?? 0
  return word.length >= SHORTEST_CHECKED_WORD && accentedCount > word.length * MAX_ACCENTED_SHARE
}

const isOddlyCapitalized = (word: string) => /\p{Ll}/u.test(word) && ODD_CAPITAL.test(word)

/** "Muñoz" could also be "Muńoz", but the Polish ń is so rare in the US that we don't ask. */
const isOtherSpelling = (name: string, otherName: string) =>
  name.replaceAll('ñ', 'ń') !== otherName.replaceAll('ñ', 'ń')
