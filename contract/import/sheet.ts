import { guessFields } from './columns.ts'
import { DATE_FIELDS } from './history.ts'
import { parseHeading, findHeadingRow } from './heading-fields.ts'
import { type ImportField, MAX_HEADING } from './import-fields.ts'
import { isGroupRow, addGroupNames } from './heading-groups.ts'
import { type DateOrder, guessDateOrder } from './dates.ts'
import { splitChildren } from './children-in-row.ts'
import { splitCombinedColumns } from './combined-cells.ts'
import { hasUnknownHeadings, type HeadingRows, joinSplitHeadings } from './split-headings.ts'
import { cellText, normalizeText } from './values.ts'

/** A pasted or opened sheet. The field of an ignored column is null. */
export type Sheet = {
  headings: string[]
  rows: string[][]
  fields: (ImportField | null)[]
  dateOrder: DateOrder
  isDateOrderCertain: boolean
}

const isBlank = (row: readonly string[]) => row.every((cell) => cellText(cell) === '')

/** Finds the headings, guesses the fields, and drops empty rows and repeated headings. */
export function parseSheet(table: readonly (readonly string[])[], today: string): Sheet {
  const filledRows = table.filter((row) => !isBlank(row))
  const width = Math.max(0, ...filledRows.map((row) => row.length))
  const paddedRows = filledRows.map((row) =>
    removeSharedPrefix(Array.from({ length: width }, (_, column) => row[column] ?? '')),
  )
  const { headings: writtenHeadings, lastRow } = findHeadings(paddedRows, width)
  const repeatsHeadings = (row: readonly string[]) =>
    row.every(
      (cell, column) => normalizeText(cell) === normalizeText(paddedRows[lastRow]?.[column] ?? ''),
    )
  const { headings, rows } = splitCombinedColumns(
    splitChildren({
      headings: writtenHeadings,
      rows: paddedRows.slice(lastRow + 1).filter((row) => !repeatsHeadings(row)),
    }),
  )
  const isColumnUsed = headings.map(
    (heading, column) =>
      cellText(heading) !== '' || rows.some((row) => cellText(row[column] ?? '') !== ''),
  )
  const pickUsed = <T>(cells: readonly T[]) => cells.filter((_, column) => isColumnUsed[column])
  return guessSheetFields(
    { headings: pickUsed(headings).map(cellText), rows: rows.map(pickUsed) },
    today,
  )
}

const MIN_PREFIXED_HEADINGS = 3

/** "Contact.First Name" and "Contact.Email" become "First Name" and "Email". */
function removeSharedPrefix(row: string[]): string[] {
  const [, prefix = ''] = /^(\w+\.)\w/.exec(row[0] ?? '') ?? []
  const isShared =
    row.length >= MIN_PREFIXED_HEADINGS && row.every((cell) => cell.startsWith(prefix))
  return prefix !== '' && isShared ? row.map((cell) => cell.slice(prefix.length)) : row
}

function guessSheetFields(table: Pick<Sheet, 'headings' | 'rows'>, today: string): Sheet {
  const fields = guessFields(table.headings, table.rows, today)
  const { order, isCertain } = findDateOrder(table.rows, fields)
  return { ...table, fields, dateOrder: order, isDateOrderCertain: isCertain }
}

/** `lastRow` is -1 if the sheet has no headings. */
function findHeadings(rows: readonly string[][], width: number): HeadingRows {
  const headingIndex = findHeadingRow(rows)
  const headings = rows[headingIndex]
  if (!headings) return findUnknownHeadings(rows, width)
  const groups = rows[headingIndex - 1]
  if (groups && isGroupRow(groups, headings)) {
    const isKnown = (heading: string) => parseHeading(heading) !== undefined
    return { headings: addGroupNames(groups, headings, isKnown), lastRow: headingIndex }
  }
  return joinSplitHeadings(rows, headingIndex) ?? { headings, lastRow: headingIndex }
}

function findUnknownHeadings(rows: readonly string[][], width: number): HeadingRows {
  const [firstRow] = rows
  if (firstRow && hasUnknownHeadings(rows)) return { headings: firstRow, lastRow: 0 }
  return { headings: Array.from({ length: width }, () => ''), lastRow: -1 }
}

/** Corrects a wrong guess: turns the first student into headings, or the headings into a student. */
export function treatFirstRowAs(kind: 'headings' | 'student', sheet: Sheet, today: string): Sheet {
  const [firstRow = [], ...otherRows] = sheet.rows
  const table =
    kind === 'headings'
      ? { headings: firstRow, rows: otherRows }
      : { headings: sheet.headings.map(() => ''), rows: [sheet.headings, ...sheet.rows] }
  return guessSheetFields(table, today)
}

/** A last name alone does not say who the student is. */
export const hasNameColumn = ({ fields }: Pick<Sheet, 'fields'>): boolean =>
  fields.some((field) => field === 'name' || field === 'first_name')

export const findDateOrder = (
  rows: readonly (readonly string[])[],
  fields: readonly (ImportField | null)[],
) => {
  const columns = fields.flatMap((field, column) => (isDateField(field) ? [column] : []))
  return guessDateOrder(columns.flatMap((column) => rows.map((row) => cellText(row[column] ?? ''))))
}

export const isDateField = (field: ImportField | null): boolean =>
  DATE_FIELDS.some((dateField) => dateField === field)

export function toImportForm({ headings, rows, fields, dateOrder }: Sheet) {
  const columns = fields.flatMap((field, column) => (field ? [{ field, column }] : []))
  return {
    columns: columns.map(({ field }) => field),
    headings: columns.map(({ column }) => (headings[column] ?? '').slice(0, MAX_HEADING)),
    rows: rows.map((row) => columns.map(({ column }) => row[column] ?? '')),
    date_order: dateOrder,
  }
}
