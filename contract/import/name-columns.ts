import type { ImportField } from './import-fields.ts'
import { cellText, normalizeText, isBlankValue } from './values.ts'

type Column = { words: string; field: ImportField | '' | undefined; values: readonly string[] }

const FULL_NAME = /\b(full|whole|complete|display|contact)\b/
const FULL_NAME_SHARE = 0.5

/** Decides whether the column "Name" holds full names. If not, it is the last name next to a first
 *  name column, and the first name next to a last name column. */
export function resolveNameColumns(
  columns: readonly Column[],
  isHousehold: (words: string) => boolean,
): (ImportField | '' | undefined)[] {
  const fields = columns.map(({ field }) => field)
  const firstNameIndex = fields.indexOf('first_name')
  const lastNameIndex = columns.findIndex(
    ({ field, words }) => field === 'last_name' && !isHousehold(words),
  )
  const householdIndex = fields.indexOf('last_name')
  const nameIndexes = columns.flatMap(({ field }, index) => (field === 'name' ? [index] : []))
  const [nameIndex] = nameIndexes
  if (nameIndex === undefined) return fields
  if (firstNameIndex >= 0 && lastNameIndex >= 0)
    return fields.map((field) => (field === 'name' ? '' : field))
  const partIndex = firstNameIndex >= 0 ? firstNameIndex : householdIndex
  const nameColumn = columns[nameIndex]
  const partColumn = columns[partIndex]
  if (!nameColumn || !partColumn) return fields
  if (holdsFullNames(nameColumn, partColumn, isHousehold(partColumn.words)))
    return fields.map((field, index) => (index === firstNameIndex ? '' : field))
  return fields.map((field, index) => {
    if (index === nameIndex) return firstNameIndex >= 0 ? 'last_name' : 'first_name'
    // The household's name is not needed if the student has a last name.
    return index === householdIndex && firstNameIndex >= 0 ? '' : field
  })
}

function holdsFullNames(name: Column, part: Column, isHousehold: boolean): boolean {
  if (FULL_NAME.test(name.words)) return true
  const pairs = name.values.flatMap((value, index): [string, string][] => {
    const [text, partText] = [cellText(value), cellText(part.values[index] ?? '')]
    return isBlankValue(text) || isBlankValue(partText)
      ? []
      : [[normalizeText(text), normalizeText(partText)]]
  })
  const fullNames = pairs.filter(([words, partWords]) =>
    isHousehold ? words.includes(' ') : containsWords(words, partWords) && words !== partWords,
  )
  return pairs.length === 0 ? isHousehold : fullNames.length >= pairs.length * FULL_NAME_SHARE
}

const containsWords = (words: string, part: string) => ` ${words} `.includes(` ${part} `)
