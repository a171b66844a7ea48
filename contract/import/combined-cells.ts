import { fieldOfHeading, normalizeHeading } from './heading-fields.ts'
import { SAMPLE_SIZE } from './column-looks.ts'
import { cellLines, fold, isNothing } from './values.ts'

type Table = { headings: string[]; rows: string[][] }

const EMAIL = /[^\s<>()[\],;:|/"'“”‘’]+@[^\s<>()[\],;:|/"'“”‘’]+\.[^\s<>()[\],;:|/"'“”‘’]+/g
const PHONE = /\+?(?:1[\s.-]?)?(?:\(\d{3}\)|\d)[\d\s.-]{5,}\d(?:\s*(?:x|ext\.?)\s*\d{1,5})?/gi
const LABEL = /\b(?:e-?mail|mailto|phone|cell|mobile|home|work|tel|ph|name|c|h|w|m)\b\.?\s*:\s*/gi
const EMPTY_BRACKETS = /[<([]\s*[>)\]]/g
const SIGNS_AT_ENDS = /^[\s,;:|/·•–—-]+|[\s,;:|/·•–—-]+$/g
const NAME = /\p{L}{2}/u
const COMBINED_SHARE = 0.7

type Contact = { name: string; email: string; phone: string }

/** "Ken Adams <ken@example.com> 512-555-0142" */
function takeApart(cell: string): Contact {
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
    .replaceAll(SIGNS_AT_ENDS, '')
  return {
    name,
    email: emails.map((email) => email.replace(/\.+$/, '')).join(', '),
    phone: phones.map((phone) => phone.trim()).join(' / '),
  }
}

/** A column about a person, in which most cells have an email or a phone beside the name. */
function isCombined(heading: string, cells: readonly string[]): boolean {
  const field = fieldOfHeading(heading)
  if (field !== undefined && field !== 'name' && field !== '') return false
  const texts = cells.filter((cell) => !isNothing(cell.trim())).slice(0, SAMPLE_SIZE)
  const combinedTexts = texts.filter((text) => {
    const { name, email, phone } = takeApart(text)
    return NAME.test(name) && (email !== '' || phone !== '')
  })
  return texts.length > 0 && combinedTexts.length >= texts.length * COMBINED_SHARE
}

const OF_PARENT = /\b(parent|guardian|mother|father|mom|dad)s?( \d)?\b/
const OF_NOBODY_HERE = /\b(doctor|physician|school|address|notes?|comments?|emergency|billing)\b/

/** What stands before "email" in the new heading: "Parent", or nothing for the student. */
function personOf(heading: string): string {
  const [, person = '', number = ''] = OF_PARENT.exec(normalizeHeading(heading)) ?? []
  return person === '' ? '' : `${person}${number} `
}

const PARTS = ['name', 'email', 'phone'] as const

type Column = { heading: string; cells: string[] }

/** One column for each part that some cell has. */
function splitColumn({ heading, cells }: Column): Column[] {
  const contacts = cells.map(takeApart)
  return PARTS.filter((part) => contacts.some((contact) => contact[part] !== '')).map((part) => ({
    heading: capitalize(`${personOf(heading)}${part}`),
    cells: contacts.map((contact) => contact[part]),
  }))
}

/** Splits columns with name, email and phone in one cell, so that each part has a column. */
export function splitCombinedColumns({ headings, rows }: Table): Table {
  const columns = headings.map((heading, column) => ({
    heading,
    cells: rows.map((row) => row[column] ?? ''),
  }))
  const isSplit = ({ heading, cells }: Column) =>
    !OF_NOBODY_HERE.test(fold(heading)) && isCombined(heading, cells)
  if (!columns.some(isSplit)) return { headings, rows }
  const newColumns = columns.flatMap((column) => (isSplit(column) ? splitColumn(column) : column))
  return {
    headings: newColumns.map(({ heading }) => heading),
    rows: rows.map((_, row) => newColumns.map(({ cells }) => cells[row] ?? '')),
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
