/** How software that does not use Unicode writes letters. The most common in the US comes first. */
const ENCODINGS = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const

export type TextReading = {
  text: string
  /** Words that other readings spell in another way. Empty if there are no other readings. */
  samples: string[]
}

const MAX_WORDS = 500
const MAX_SAMPLES = 3
const FIRST_NON_ASCII = 0x80

/** Returns one reading if it is certain, else those that are possible, the likeliest first. */
export function decodeText(bytes: Uint8Array): TextReading[] {
  const unicode = decodeUnicode(bytes)
  if (unicode !== null) return [{ text: unicode, samples: [] }]
  const words = findWords(bytes)
  const readings = ENCODINGS.map((encoding) => {
    const spellings = words.map((word) => new TextDecoder(encoding).decode(word))
    return { encoding, spellings, oddWords: spellings.filter(isOdd).length }
  })
  const fewestOddWords = Math.min(...readings.map(({ oddWords }) => oddWords))
  const [likeliest, ...otherReadings] = readings.filter(
    ({ oddWords }) => oddWords === fewestOddWords,
  )
  if (!likeliest) return []
  const differences = likeliest.spellings.flatMap((spelling, index) =>
    otherReadings.some(({ spellings }) => isOtherName(spelling, spellings[index] ?? ''))
      ? [index]
      : [],
  )
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  if (differences.length === 0) return [{ text: decode(likeliest.encoding), samples: [] }]
  const sampleIndexes = differences.slice(0, MAX_SAMPLES)
  const possibleReadings = [likeliest, ...otherReadings].map(({ encoding, spellings }) => ({
    text: decode(encoding),
    samples: sampleIndexes.map((index) => spellings[index] ?? ''),
  }))
  return [
    ...new Map(
      possibleReadings.toReversed().map((reading) => [reading.samples.join(), reading]),
    ).values(),
  ].toReversed()
}

/** Excel saves CSV files as UTF-8 or UTF-16, if it does not use an older encoding. */
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

/** Tab, line breaks, space, and what stands between cells and names. */
const SEPARATORS = new Set([...'\t\n\r ,;|"()/'].map((character) => character.charCodeAt(0)))

/** The different words that have a letter outside ASCII. All these encodings share ASCII. */
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
/** "Mu–oz": a sign between two letters, or one that no name has. */
const ODD_SIGN = /\p{L}(?![’'‘.-])[^\p{L}\p{M}\p{N}\s]\p{L}|[\p{Cc}\p{So}\p{Sm}\p{Sk}\uFFFD\p{Co}]/u
/** "£ukasz Pawe³", which is "Łukasz Paweł" in Polish */
const SIGN_AS_LETTER = /[£¥¢¹²³ªº]\p{L}|\p{L}[£¥¢¹²³ªº]/u
/** "JosŽ": a capital after another letter, in a word with small letters. */
const ODD_CAPITAL = /\p{L}(?![A-Z])\p{Lu}/u
const SHORTEST_CHECKED_WORD = 4
const MAX_ACCENTED_SHARE = 0.5

/** Whether the word is probably misspelled, because nobody writes a name like this. */
function isOdd(word: string): boolean {
  if (ODD_SIGN.test(word) || SIGN_AS_LETTER.test(word)) return true
  if (CYRILLIC.test(word)) return LATIN.test(word) || isOddlyCapitalized(word)
  if (isOddlyCapitalized(word)) return true
  const accentedCount = word.match(ACCENTED_LETTER)?.length ?? 0
  return word.length >= SHORTEST_CHECKED_WORD && accentedCount > word.length * MAX_ACCENTED_SHARE
}

const isOddlyCapitalized = (word: string) => /\p{Ll}/u.test(word) && ODD_CAPITAL.test(word)

/** The Spanish ñ would be the Polish ń, which is much rarer here than the question is long. */
const isOtherName = (name: string, otherName: string) =>
  name !== otherName && name.replaceAll('ñ', 'ń') !== otherName
