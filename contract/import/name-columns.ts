import type { ImportField } from './import-fields.ts'
import { cellText, fold, isNothing } from './values.ts'

type Column = { words: string; field: ImportField | '' | undefined; values: readonly string[] }

const WHOLE_NAME = /\b(full|whole|complete|display|contact)\b/
const HALF = 0.5

/**
 * Decides what "Name" means beside other columns of names. Beside a first name it is the last name
 * and the other way round, unless its values are whole names. Beside both it is left out.
 */
export function withNameParts(
  columns: readonly Column[],
  isHousehold: (words: string) => boolean,
): (ImportField | '' | undefined)[] {
  const fields = columns.map(({ field }) => field)
  const first = fields.indexOf('first_name')
  const last = columns.findIndex(({ field, words }) => field === 'last_name' && !isHousehold(words))
  const household = fields.indexOf('last_name')
  const names = columns.flatMap(({ field }, index) => (field === 'name' ? [index] : []))
  const [name] = names
  if (name === undefined) return fields
  if (first >= 0 && last >= 0) return fields.map((field) => (field === 'name' ? '' : field))
  const part = first >= 0 ? first : household
  const nameColumn = columns[name]
  const partColumn = columns[part]
  if (!nameColumn || !partColumn) return fields
  if (isWhole(nameColumn, partColumn, isHousehold(partColumn.words)))
    return fields.map((field, index) => (index === first ? '' : field))
  return fields.map((field, index) => {
    if (index === name) return first >= 0 ? 'last_name' : 'first_name'
    // A household's name is no surname beside the student's own.
    return index === household && first >= 0 ? '' : field
  })
}

/** Whether the names contain the part; beside a household, whether they have two words. */
function isWhole(name: Column, part: Column, isHousehold: boolean): boolean {
  if (WHOLE_NAME.test(name.words)) return true
  const pairs = name.values.flatMap((value, index): [string, string][] => {
    const [text, partText] = [cellText(value), cellText(part.values[index] ?? '')]
    return isNothing(text) || isNothing(partText) ? [] : [[fold(text), fold(partText)]]
  })
  const whole = pairs.filter(([words, partWords]) =>
    isHousehold ? words.includes(' ') : contains(words, partWords) && words !== partWords,
  )
  return pairs.length === 0 ? isHousehold : whole.length >= pairs.length * HALF
}

const contains = (words: string, part: string) => ` ${words} `.includes(` ${part} `)
