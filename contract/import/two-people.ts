import type { RowReader } from './row-reader.ts'
import { cellLines, normalizeText, parseName } from './values.ts'
import { surnameOf } from '../lib/name-parts.ts'

export const TWO_PEOPLE = 'Two people in one cell? Please give each a row'

const AND = /\s+(?:and|und)\s+|\s*[&+;|]\s*/i
const TWO_LETTERS = /\p{L}{2}/u

/** True for a row with two students, such as "Ken and Mia Boyle" or "Ken Moss / Mia Moss". */
export function holdsTwoPeople(reader: RowReader): boolean {
  const parts = (['name', 'first_name', 'last_name'] as const).map((field) =>
    cellLines(reader.raw(field)).replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' '),
  )
  const [name = '', first = ''] = parts
  const hasAndOrSign = parts.some((text) => isSplit(text, AND))
  const isList = first.includes(',') && parseName(first).split(' ').length > 1
  return (
    hasAndOrSign ||
    isList ||
    isSplit(name, /\//) ||
    isSplit(first, /\//) ||
    hasNameOnEachLine(name) ||
    hasCommasBetweenPeople(name, reader)
  )
}

const isSplit = (text: string, separator: RegExp) =>
  text.split(separator).filter((part) => TWO_LETTERS.test(part)).length > 1

function hasNameOnEachLine(text: string): boolean {
  const lines = text.split('\n').filter((line) => TWO_LETTERS.test(line))
  return lines.length > 1 && lines.slice(1).some((line) => line.trim().includes(' '))
}

/** True for "Tom, Leo, Mia Drew", and for "Tom, Leo Drew" if the guardian's surname is Drew. */
function hasCommasBetweenPeople(name: string, { text }: RowReader): boolean {
  if (!name.includes(',')) return false
  const parsedName = parseName(name.replaceAll('\n', ' '))
  if (parsedName.includes(',')) return true
  const [beforeComma = '', afterComma = ''] = name.split(',').map((part) => part.trim())
  if (beforeComma.includes(' ') || !afterComma.includes(' ')) return false
  const surname = text('guardian_last_name') || surnameOf(parseName(text('guardian_name')))
  return (
    normalizeText(surnameOf(afterComma)) === normalizeText(surname) &&
    normalizeText(beforeComma) !== normalizeText(surname)
  )
}
