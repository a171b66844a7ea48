import { parseHeading, normalizeHeading } from './heading-fields.ts'
import { SAMPLE_SIZE } from './guess-by-values.ts'
import { cellLines, normalizeText, isBlankValue } from './values.ts'

type Table = { headings: string[]; rows: string[][] }

const EMAIL = /[^\s<>()[\],;:|/"'“”‘’]+@[^\s<>()[\],;:|/"'“”‘’]+\.[^\s<>()[\],;:|/"'“”‘’]+/g
const PHONE = /\+?(?:1[\s.-]?)?(?:\(\d{3}\)|\d)[\d\s.-]{5,}\d(?:\s*(?:x|ext\.?)\s*\d{1,5})?/gi
const LABEL = /\b(?:e-?mail|mailto|phone|cell|mobile|home|work|tel|ph|name|c|h|w|m)\b\.?\s*:\s*/gi
const EMPTY_BRACKETS = /[<([]\s*[>)\]]/g
const PUNCTUATION_AT_ENDS = /^[\s,;:|/·•–—-]+|[\s,;:|/·•–—-]+$/g
const NAME = /\p{L}{2}/u
/** A column is split if at least this share of its filled cells has several parts. */
const MIN_COMBINED_SHARE = 0.7

type Contact = { name: string; email: string; phone: string }

/** "Ken Adams <ken@example.com> 512-555-0142" */
function parseContact(cell: string): Contact {
  const text = cellLines(cell)
  const emails = text.match(EMAIL) ?? []
  const withoutEmails = text.replaceAll(EMAIL, ' ')
  const phones = withoutEmails.match(PHONE) ?? []
  const name = withoutEmails
    .replaceAll(PHONE, ' ')
    .replaceAll(LABEL, ' ')
    .replaceAll(EMPTY_BRACKETS, ' ')
    .replaceAll(/\s*\n\s*/g, ', ')
    .replaceAll(/(?:\s*[,;|/]\s*){2,}/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(PUNCTUATION_AT_ENDS, '')
  return {
    name,
    email: emails.map((email) => email.replace(/\.+$/, '')).join(', '),
    phone: phones.map((phone) => phone.trim()).join(' / '),
  }
}

/** True if most cells have both an email and a phone. In a column about a person, a name with one of
 *  them is enough. */
function isCombined(heading: string, cells: readonly string[]): boolean {
  const field = parseHeading(heading)
  const isAboutPerson = field === undefined || field === 'name' || field === ''
  const texts = cells.filter((cell) => !isBlankValue(cell.trim())).slice(0, SAMPLE_SIZE)
  const combinedTexts = texts.filter((text) => {
    const { name, email, phone } = parseContact(text)
    const hasName = isAboutPerson && NAME.test(name)
    return (email !== '' && phone !== '') || (hasName && (email !== '' || phone !== ''))
  })
  return texts.length > 0 && combinedTexts.length >= texts.length * MIN_COMBINED_SHARE
}

const PARENT_WORD = /\b(parent|guardian|mother|father|mom|dad)s?( \d)?\b/
/** Headings of columns about something other than students and guardians. */
const UNRELATED_COLUMN = /\b(doctor|physician|school|address|notes?|comments?|emergency|billing)\b/

/** Returns "parent " for the new heading "Parent email", and nothing for the student. */
function personPrefix(heading: string): string {
  const [, person = '', number = ''] = PARENT_WORD.exec(normalizeHeading(heading)) ?? []
  return person === '' ? '' : `${person}${number} `
}

const PARTS = ['name', 'email', 'phone'] as const

type Column = { heading: string; cells: string[] }

/** Makes a column for each part that occurs in at least one cell. */
function splitColumn({ heading, cells }: Column): Column[] {
  const contacts = cells.map(parseContact)
  return PARTS.filter((part) => contacts.some((contact) => contact[part] !== '')).map((part) => ({
    heading: capitalize(`${personPrefix(heading)}${part}`),
    cells: contacts.map((contact) => contact[part]),
  }))
}

/** Splits columns with a name, an email and a phone in one cell into a column for each. */
export function splitCombinedColumns({ headings, rows }: Table): Table {
  const columns = headings.map((heading, column) => ({
    heading,
    cells: rows.map((row) => row[column] ?? ''),
  }))
  const needsSplit = ({ heading, cells }: Column) =>
    !UNRELATED_COLUMN.test(normalizeText(heading)) && isCombined(heading, cells)
  if (!columns.some(needsSplit)) return { headings, rows }
  const newColumns = columns.flatMap((column) =>
    needsSplit(column) ? splitColumn(column) : column,
  )
  return {
    headings: newColumns.map(({ heading }) => heading),
    rows: rows.map((_, row) => newColumns.map(({ cells }) => cells[row] ?? '')),
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
