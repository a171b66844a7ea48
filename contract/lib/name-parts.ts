const SUFFIX = /^(jr|sr|iii|phd|dds|dvm|esq)$/i
/** Only in capitals: Ii and Md are names. */
const SUFFIX_OF_CAPITALS = /^(II|ii|IV|iv|MD|JD|RN|CPA|MBA)$/
export function isSuffix(word: string): boolean {
  const letters = word.replaceAll('.', '')
  return SUFFIX.test(letters) || SUFFIX_OF_CAPITALS.test(letters)
}

const wordsOf = (name: string) => name.split(/\s+/).filter(Boolean)

export const surnameOf = (name: string): string => {
  const words = wordsOf(name)
  return words.findLast((word) => !isSuffix(word)) ?? words.at(-1) ?? ''
}

/** Part of a name: "St. John". */
const SAINT = /^(st|ste|saint|sainte)\.?$/i

/** "Leo" of "Leo Diaz", "St. John" of "St. John Rivers" */
export function firstName(name: string): string {
  const [first = '', second, third] = wordsOf(name)
  const isSaint = SAINT.test(first) && second !== undefined && third !== undefined
  return isSaint && !isSuffix(third) ? `${first} ${second}` : first
}

type ShortParts = { first: string; last: string }

function shortParts(name: string): ShortParts {
  const first = firstName(name)
  const otherWords = wordsOf(name).slice(wordsOf(first).length)
  return { first, last: otherWords.every(isSuffix) ? '' : surnameOf(otherWords.join(' ')) }
}

/** "Emma J." */
function shortName({ first, last }: ShortParts, letters: number): string {
  if (!last) return first
  return `${first} ${last.length > letters ? `${last.slice(0, letters)}.` : last}`
}

/** First names with an initial, and more letters where names would look alike. */
export function shortNames(names: readonly string[]): string[] {
  const parts = names.map(shortParts)
  const longest = Math.max(1, ...parts.map(({ last }) => last.length))
  const shorts = parts.map((part) => shortName(part, 1))
  // Adding letters never makes two names alike, so each round only looks at those still alike.
  let alike = alikeGroups(shorts, [...parts.keys()])
  for (let letters = 2; letters <= longest && alike.length > 0; letters += 1)
    alike = alike.flatMap((places) => {
      for (const place of places) shorts[place] = shortName(parts[place]!, letters)
      return alikeGroups(shorts, places)
    })
  return shorts
}

const alikeGroups = (shorts: readonly string[], places: readonly number[]): number[][] =>
  [...Map.groupBy(places, (place) => shorts[place]).values()].filter((group) => group.length > 1)
