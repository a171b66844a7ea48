import type { z } from 'zod'
import { mustExist } from '../lib/must-exist.ts'
import type { ImportField } from './import-fields.ts'
import { cellText, isFormulaError, isBlankValue } from './values.ts'

export const REMARK_KINDS = ['no_birthday', 'no_texts'] as const

export type CellRemark = {
  field: ImportField
  message: string
  becomes?: string | undefined
  kind?: (typeof REMARK_KINDS)[number] | undefined
}

export const MAX_QUOTE_LENGTH = 200

export const quoteCell = (heading: string, text: string): string =>
  `${heading}: ${text}`.slice(0, MAX_QUOTE_LENGTH)

export type FilledCell = { heading: string; text: string; raw: string }

/** More than any single-line field allows, so that the field's rule still refuses a longer cell. */
const LONGEST_LINE = 500

export type RowReader = ReturnType<typeof rowReader>

export function rowReader(
  columns: readonly ImportField[],
  cells: readonly string[],
  headings: readonly string[],
  checkMarkColumns: ReadonlySet<number> = new Set(),
) {
  const problems: CellRemark[] = []
  const notices: CellRemark[] = []
  const notes: string[] = []
  for (const [index, field] of columns.entries()) {
    const text = cellText(cells[index] ?? '')
    if (isFormulaError(text))
      notices.push({ field, message: `“${text}” is a spreadsheet error: left empty` })
  }

  /** Lists a field's filled cells. A cell that matches `answer` counts as filled even if it says
   *  "none". */
  const filledCells = (field: ImportField, answer?: RegExp): FilledCell[] =>
    columns.flatMap((column, index) => {
      const raw = cells[index] ?? ''
      const text = column === field ? cellText(raw).slice(0, LONGEST_LINE) : ''
      if (isBlankValue(text) && !answer?.test(text)) return []
      return [{ heading: cellText(headings[index] ?? ''), text, raw }]
    })
  /** Returns the heading of a check mark column of this field if this row leaves it blank. */
  function blankCheckMark(field: ImportField): string | null {
    const index = columns.findIndex(
      (column, columnIndex) => column === field && checkMarkColumns.has(columnIndex),
    )
    if (index < 0 || filledCells(field).length > 0) return null
    return cellText(headings[index] ?? '')
  }
  const raw = (field: ImportField) => filledCells(field)[0]?.raw ?? ''
  const text = (field: ImportField) => filledCells(field)[0]?.text ?? ''

  /** Returns null if the cell is empty or breaks the rule, which adds a problem. */
  function checkValue<T>(field: ImportField, value: unknown, rule: z.ZodType<T>): T | null {
    if (value === '' || value === null) return null
    const { data, error } = rule.safeParse(value)
    if (error)
      problems.push({ field, message: mustExist(error.issues[0], 'The error of the rule').message })
    return error ? null : data
  }

  function parseCell<T>(
    field: ImportField,
    parse: (cell: string) => T | null,
    message: string,
  ): T | null {
    const cell = text(field)
    const value = cell === '' ? null : parse(cell)
    if (cell !== '' && value === null) problems.push({ field, message })
    return value
  }

  return {
    problems,
    notices,
    notes,
    filledCells,
    blankCheckMark,
    raw,
    text,
    checkValue,
    parseCell,
  }
}
