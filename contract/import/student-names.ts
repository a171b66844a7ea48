import { type CellWithoutAsides, removeAsides, removePhrase } from './asides.ts'
import type { ImportField } from './import-fields.ts'
import { findForbiddenParents, forbidsContact, removeNoTexts } from './contacts.ts'
import { parseNameParts } from './guardians.ts'
import { NO_TEXTS } from './opt-outs.ts'
import { quoteCell, type RowReader } from './row-reader.ts'
import type { StatusStatement } from './presence.ts'
import { isNotDeparture, parseStatus } from './status.ts'
import { normalizeText, parseName } from './values.ts'
import { isName } from '../lib/names.ts'
import { regex } from './patterns.ts'

export type StudentNameCells = {
  field: ImportField
  name: string
  /** The status in the name cell, as in "Ken Adams (inactive)". */
  statement: StatusStatement | null
  /** Quotes a name cell that also says no to texts: "Name: Ken Adams DO NOT TEXT". */
  optOut: string | null
  warnings: string[]
}

const NAME_FIELDS = ['name', 'first_name', 'last_name'] as const
type NameCell = { field: (typeof NAME_FIELDS)[number]; heading: string; text: string }

export function readStudentName(reader: RowReader, today: string): StudentNameCells {
  const result: StudentNameCells = {
    field: 'name',
    name: '',
    statement: null,
    optOut: null,
    warnings: [],
  }
  const cells = NAME_FIELDS.flatMap((field): NameCell[] => {
    const [cell] = reader.filledCells(field)
    return cell ? [{ field, heading: cell.heading, text: cell.text }] : []
  })
  const texts = new Map(
    cells.map((cell) => [cell.field, removeRemarks(reader, cell, today, result)]),
  )
  const text = (field: (typeof NAME_FIELDS)[number]) => texts.get(field) ?? ''
  const [first, last] = [text('first_name'), text('last_name')]
  const fullName = text('name')
  if (fullName && !isPartOfName(fullName, first, last))
    return { ...result, name: parseName(fullName) }
  const parts = (['first_name', 'last_name'] as const).filter((field) => text(field) !== '')
  const unusualField = parts.find((field) => !isName(text(field)))
  return {
    ...result,
    field: unusualField ?? parts[0] ?? 'name',
    name: parseNameParts(first || fullName, last.replaceAll(HOUSEHOLD_WORDS, '') || fullName),
  }
}

/** "The Baker family", "Lee #1" */
const HOUSEHOLD_WORDS = /^the\s+|\s+(family|household|residence)$|\s*#\s*\d+$/gi

/** True if another column has the rest of the name. */
function isPartOfName(name: string, first: string, last: string): boolean {
  if (first && last) return true
  const otherPart = normalizeText(first || last)
  return otherPart !== '' && !/[\s,]/.test(name) && normalizeText(name) !== otherPart
}

function removeRemarks(
  reader: RowReader,
  cell: NameCell,
  today: string,
  result: StudentNameCells,
): string {
  const quote = (text: string) => quoteCell(cell.heading || 'Name', text)
  const forbidden = removePhrase(cell.text, forbidsContact)
  const saveInNotes = (remark: string) => {
    reader.notes.push(quote(remark))
    reader.notices.push({ field: cell.field, message: `Saved in notes: “${remark}”` })
  }
  if (forbidden.removed !== null) {
    const warning = forbidden.removed
    saveInNotes(warning)
    result.warnings.push(warning)
    const isAboutParent = findForbiddenParents(warning).length > 0
    if (!isAboutParent && NO_TEXTS.test(normalizeText(warning))) result.optOut ??= quote(cell.text)
  }
  const noTexts = removeNoTexts(forbidden.text)
  if (noTexts.removed !== null) result.optOut ??= quote(cell.text)
  const remarks = removeAsides(noTexts.text, isNotDeparture)
  if (remarks.removed !== null) saveInNotes(remarks.removed)
  const { text, removed: statusText } = removeStatus(remarks.text, today)
  const status = statusText === null ? null : parseStatus(statusText, today)
  if (status !== null) result.statement ??= { status, quote: quote(cell.text) }
  if (text !== cell.text)
    reader.notices.push({ field: cell.field, message: `Becomes “${text}”`, becomes: text })
  return text
}

const LAST_WORD = regex('i')`
  ^(?<name>.+\S)\s+(?<word>inactive|cancell?ed|deceased|quit|withdrawn|withdrew|dropped
  |terminated|archived|expelled)$`
/** "RIP" in capitals after lowercase letters is a status. "Rip" may be a nickname. */
const REST_IN_PEACE = /\p{Ll}.*\bR\.?I\.?P\b/u
const NICKNAME = /^(rip|ex|old|past|lost|max|gold)$/

function removeStatus(cell: string, today: string): CellWithoutAsides {
  const isNickname = (words: string) => NICKNAME.test(words) && !REST_IN_PEACE.test(cell)
  const isStatus = (words: string) => !isNickname(words) && parseStatus(words, today) !== null
  const aside = removeAsides(cell, isStatus)
  if (aside.removed !== null && aside.text !== '') return aside
  const { name, word } = LAST_WORD.exec(cell)?.groups ?? {}
  return name && word ? { text: name, removed: word } : { text: cell, removed: null }
}
