import { mustExist } from './must-exist.ts'

const SUFFIX = /^(jr|sr|iii|phd|dds|dvm|esq)$/i
/** Words that are suffixes only in these spellings, because Ii and Md are names. */
const CASE_SENSITIVE_SUFFIX = /^(II|ii|IV|iv|MD|JD|RN|CPA|MBA)$/
export function isSuffix(word: string): boolean {
  const letters = word.replaceAll('.', '')
  return SUFFIX.test(letters) || CASE_SENSITIVE_SUFFIX.test(letters)
}

const splitName = (name: string) => name.split(/\s+/).filter(Boolean)

export const surnameOf = (name: string): string => {
  const words = splitName(name)
  return words.findLast((word) => !isSuffix(word)) ?? words.at(-1) ?? ''
}

/** A word that belongs to the name after it, as in "St. John". */
const SAINT = /^(st|ste|saint|sainte)\.?$/i

/** Returns "Leo" for "Leo Diaz", and "St. John" for "St. John Rivers". */
export function firstName(name: string): string {
  const [firstWord = '', secondWord, thirdWord] = splitName(name)
  const isSaint = SAINT.test(firstWord) && secondWord !== undefined && thirdWord !== undefined
  return isSaint && !isSuffix(thirdWord) ? `${firstWord} ${secondWord}` : firstWord
}

const firstLetter = (word: string) => (/\p{L}/u.exec(word)?.[0] ?? '').toUpperCase()

/** Returns "LD" for "Leo Diaz", and "M" for "Madonna". */
export function initials(name: string): string {
  const { first, last } = splitFirstAndLast(name)
  return firstLetter(first) + firstLetter(last)
}

type FirstAndLast = { first: string; last: string }

function splitFirstAndLast(name: string): FirstAndLast {
  const first = firstName(name)
  const otherWords = splitName(name).slice(splitName(first).length)
  return { first, last: otherWords.every(isSuffix) ? '' : surnameOf(otherWords.join(' ')) }
}

/** Returns "Emma J." with one letter of the last name, and "Emma Jo." with two. */
function shortName({ first, last }: FirstAndLast, letters: number): string {
  if (!last) return first
  return `${first} ${last.length > letters ? `${last.slice(0, letters)}.` : last}`
}

/** Shortens names to "Emma J.", or to "Emma Jo." if two names would otherwise be the same. */
export function shortNames(names: readonly string[]): string[] {
  const parts = names.map(splitFirstAndLast)
  const maxLetters = Math.max(1, ...parts.map(({ last }) => last.length))
  const results = parts.map((part) => shortName(part, 1))
  // Each round lengthens only the names that are still the same.
  let groups = findSameNames(results, [...parts.keys()])
  for (let letters = 2; letters <= maxLetters && groups.length > 0; letters += 1)
    groups = groups.flatMap((indexes) => {
      for (const index of indexes)
        results[index] = shortName(mustExist(parts[index], 'The name'), letters)
      return findSameNames(results, indexes)
    })
  return results
}

const findSameNames = (names: readonly string[], indexes: readonly number[]): number[][] =>
  [...Map.groupBy(indexes, (index) => names[index]).values()].filter((group) => group.length > 1)
