import {
  fieldOfHeading,
  guessFields,
  headingRow,
  type ImportField,
  MAX_HEADING,
} from './columns.ts'
import { isGroupRow, withGroups } from './heading-groups.ts'
import { type DateOrder, guessDateOrder } from './dates.ts'
import { cellText, fold } from './values.ts'

/** A sheet as it was pasted or read: its cells as they stand there, and what each column means; null for a column that is left out. */
export type Sheet = {
  headings: string[]
  rows: string[][]
  fields: (ImportField | null)[]
  dateOrder: DateOrder
  isDateOrderCertain: boolean
}

const isBlank = (row: readonly string[]) => row.every((cell) => cellText(cell) === '')

/** Finds the headings, guesses what the columns mean, and drops what is empty, above the headings or the headings again. `today` is YYYY-MM-DD. */
export function sheetOf(table: readonly (readonly string[])[], today: string): Sheet {
  const filled = table.filter((row) => !isBlank(row))
  const at = headingRow(filled)
  const width = Math.max(0, ...filled.map((row) => row.length))
  const padded = filled.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? ''),
  )
  const headings = headingsAt(padded, at, width)
  const isHeadings = (row: readonly string[]) =>
    row.every((cell, column) => fold(cell) === fold(padded[at]?.[column] ?? ''))
  const rows = padded.slice(at + 1).filter((row) => !isHeadings(row))
  const used = headings.map(
    (heading, column) =>
      cellText(heading) !== '' || rows.some((row) => cellText(row[column] ?? '') !== ''),
  )
  const inUse = <T>(cells: readonly T[]) => cells.filter((_, column) => used[column])
  const kept = { headings: inUse(headings).map(cellText), rows: rows.map(inUse) }
  const fields = guessFields(kept.headings, kept.rows, today)
  const { order, isCertain } = dateOrderOf(kept.rows, fields)
  return { ...kept, fields, dateOrder: order, isDateOrderCertain: isCertain }
}

/** The headings, each with the group that a row above them names. */
function headingsAt(rows: readonly string[][], at: number, width: number): string[] {
  const headings = rows[at]
  if (!headings) return Array.from({ length: width }, () => '')
  const groups = rows[at - 1]
  if (!groups || !isGroupRow(groups, headings)) return headings
  return withGroups(groups, headings, (heading) => fieldOfHeading(heading) !== undefined)
}

/** By the column of birthdays. */
export const dateOrderOf = (
  rows: readonly (readonly string[])[],
  fields: readonly (ImportField | null)[],
) => {
  const column = fields.indexOf('date_of_birth')
  return guessDateOrder(column < 0 ? [] : rows.map((row) => cellText(row[column] ?? '')))
}

/** What a call takes of a sheet: the columns that mean something. */
export function importedPart({ headings, rows, fields, dateOrder }: Sheet) {
  const columns = fields.flatMap((field, column) => (field ? [{ field, column }] : []))
  return {
    columns: columns.map(({ field }) => field),
    headings: columns.map(({ column }) => (headings[column] ?? '').slice(0, MAX_HEADING)),
    rows: rows.map((row) => columns.map(({ column }) => row[column] ?? '')),
    date_order: dateOrder,
  }
}
