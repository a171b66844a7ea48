import { guessFields } from './columns.ts'
import { DATE_FIELDS } from './history.ts'
import { fieldOfHeading, headingRow } from './heading-fields.ts'
import { type ImportField, MAX_HEADING } from './import-fields.ts'
import { isGroupRow, withGroups } from './heading-groups.ts'
import { type DateOrder, guessDateOrder } from './dates.ts'
import { cellText, fold } from './values.ts'

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
export function sheetOf(table: readonly (readonly string[])[], today: string): Sheet {
  const filledRows = table.filter((row) => !isBlank(row))
  const headingIndex = headingRow(filledRows)
  const width = Math.max(0, ...filledRows.map((row) => row.length))
  const paddedRows = filledRows.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? ''),
  )
  const headings = headingsOf(paddedRows, headingIndex, width)
  const repeatsHeadings = (row: readonly string[]) =>
    row.every((cell, column) => fold(cell) === fold(paddedRows[headingIndex]?.[column] ?? ''))
  const rows = paddedRows.slice(headingIndex + 1).filter((row) => !repeatsHeadings(row))
  const isColumnUsed = headings.map(
    (heading, column) =>
      cellText(heading) !== '' || rows.some((row) => cellText(row[column] ?? '') !== ''),
  )
  const pickUsed = <T>(cells: readonly T[]) => cells.filter((_, column) => isColumnUsed[column])
  const usedColumns = { headings: pickUsed(headings).map(cellText), rows: rows.map(pickUsed) }
  const fields = guessFields(usedColumns.headings, usedColumns.rows, today)
  const { order, isCertain } = dateOrderOf(usedColumns.rows, fields)
  return { ...usedColumns, fields, dateOrder: order, isDateOrderCertain: isCertain }
}

function headingsOf(rows: readonly string[][], headingIndex: number, width: number): string[] {
  const headings = rows[headingIndex]
  if (!headings) return Array.from({ length: width }, () => '')
  const groups = rows[headingIndex - 1]
  if (!groups || !isGroupRow(groups, headings)) return headings
  return withGroups(groups, headings, (heading) => fieldOfHeading(heading) !== undefined)
}

export const dateOrderOf = (
  rows: readonly (readonly string[])[],
  fields: readonly (ImportField | null)[],
) => {
  const columns = fields.flatMap((field, column) => (isDateField(field) ? [column] : []))
  return guessDateOrder(
    columns.flatMap((column) => rows.map((row) => cellText(row[column] ?? ''))),
  )
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
