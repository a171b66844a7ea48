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

/** Returns one reading if there is no doubt, otherwise all possible ones. */
export function decodeText(bytes: Uint8Array): TextReading[] {
  const unicode = decodeUnicode(bytes)
  if (unicode !== null) return [{ text: unicode, samples: [] }]
  const candidates = findPlausibleSpellings(findWords(bytes))
  const [likeliest, ...alternatives] = candidates
  if (!likeliest) return []
  const ambiguousIndexes = likeliest.spellings.flatMap((spelling, index) =>
    alternatives.some(({ spellings }) => isOtherSpelling(spelling, spellings[index] ?? ''))
      ? [index]
      : [],
  )
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if (ambiguousIndexes.length === 0) return [{ text: decode(likeliest.encoding), samples: [] }]
  const sampleIndexes = ambiguousIndexes.slice(0, MAX_SAMPLES)
  const readings = candidates.map(({ encoding, spellings }) => ({
    text: decode(encoding),
    samples: sampleIndexes.map((index) => spellings[index] ?? ''),
  }))
  return dropRepeatedSamples(readings)
}

/** How the words are spelled in each of the encodings in which the fewest of them look wrong. */
function findPlausibleSpellings(words: readonly Uint8Array[]) {
  const candidates = ENCODINGS.map((encoding) => {
    const spellings = words.map((word) => new TextDecoder(encoding).decode(word))
    return { encoding, spellings, oddCount: spellings.filter(looksMisspelled).length }
  })
  const lowestOddCount = Math.min(...candidates.map(({ oddCount }) => oddCount))
  return candidates.filter(({ oddCount }) => oddCount === lowestOddCount)
}

/** Of readings with the same samples, the first one stays. */
function dropRepeatedSamples(readings: TextReading[]): TextReading[] {
  const readingBySamples = new Map(
    readings.toReversed().map((reading) => [reading.samples.join(), reading]),
  )
  return [...readingBySamples.values()].toReversed()
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

/** The distinct words with a letter outside ASCII. Other words look the same in all encodings. */
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
const ODD_SIGN = /\p{L}(?![’'‘.-])[^\p{L}\p{M}\p{N}\s]\p{L}|[\p{Cc}\p{So}\p{Sm}\p{Sk}\uFFFD\p{Co}]/u
/** "£ukasz Pawe³", which is "Łukasz Paweł" in Polish */
const SIGN_AS_LETTER = /[£¥¢¹²³ªº]\p{L}|\p{L}[£¥¢¹²³ªº]/u
/** "JosŽ": a capital other than A to Z after another letter. Only odd beside small letters. */
const ODD_CAPITAL = /\p{L}(?![A-Z])\p{Lu}/u
const SHORTEST_CHECKED_WORD = 4
const MAX_ACCENTED_SHARE = 0.5

/** True if nobody would write a name like this, so the encoding is probably wrong. */
function looksMisspelled(word: string): boolean {
  if (ODD_SIGN.test(word) || SIGN_AS_LETTER.test(word)) return true
  if (CYRILLIC.test(word)) return LATIN.test(word) || isOddlyCapitalized(word)
  if (isOddlyCapitalized(word)) return true
  const accentedCount = word.match(ACCENTED_LETTER)?.length ?? 0
  return word.length >= SHORTEST_CHECKED_WORD && accentedCount > word.length * MAX_ACCENTED_SHARE
}

const isOddlyCapitalized = (word: string) => /\p{Ll}/u.test(word) && ODD_CAPITAL.test(word)

/** "Muñoz" could also be "Muńoz", but the Polish ń is so rare in the US that we don't ask. */
const isOtherSpelling = (name: string, otherName: string) =>
  name !== otherName && name.replaceAll('ñ', 'ń') !== otherName
