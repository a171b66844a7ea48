import type { z } from 'zod'
import type { ImportField } from './import-fields.ts'
import { cellText, isFormulaError, isNothing } from './values.ts'

export const REMARK_KINDS = ['no_birthday', 'no_texts'] as const

export type CellRemark = {
  field: ImportField
  message: string
  /** The name as imported, if the cell has another. */
  becomes?: string | undefined
  kind?: (typeof REMARK_KINDS)[number] | undefined
}

export type FilledCell = { heading: string; text: string; raw: string }

/** Longer than any single-line field; the field's rule refuses it. */
const LONGEST_LINE = 500

export type RowReader = ReturnType<typeof rowReader>

export function rowReader(
  columns: readonly ImportField[],
  cells: readonly string[],
  headings: readonly string[],
  ticks: ReadonlySet<number> = new Set(),
) {
  const problems: CellRemark[] = []
  const notices: CellRemark[] = []
  const notes: string[] = []

  for (const [index, field] of columns.entries()) {
    const text = cellText(cells[index] ?? '')
    if (isFormulaError(text))
      notices.push({ field, message: `“${text}” is a spreadsheet’s error: left empty` })
  }

  /** A text that matches `answer` counts as filled although it says "none". */
  const filledCells = (field: ImportField, answer?: RegExp): FilledCell[] =>
    columns.flatMap((column, index) => {
      const raw = cells[index] ?? ''
      const text = column === field ? cellText(raw).slice(0, LONGEST_LINE) : ''
      if (isNothing(text) && !answer?.test(text)) return []
      return [{ heading: cellText(headings[index] ?? ''), text, raw }]
    })
  /** The heading of a field that is blank here but ticked in other rows. */
  function blankTick(field: ImportField): string | null {
    const index = columns.findIndex((column, place) => column === field && ticks.has(place))
    if (index < 0 || filledCells(field).length > 0) return null
    return cellText(headings[index] ?? '')
  }
  const raw = (field: ImportField) => filledCells(field)[0]?.raw ?? ''
  const text = (field: ImportField) => filledCells(field)[0]?.text ?? ''

  /** Null if the cell is empty, or with a problem. */
  function checkValue<T>(field: ImportField, value: unknown, rule: z.ZodType<T>): T | null {
    if (value === '' || value === null) return null
    const { data, error } = rule.safeParse(value)
    if (error) problems.push({ field, message: error.issues[0]!.message })
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
    filled: filledCells,
    blankTick,
    raw,
    text,
    checked: checkValue,
    understood: parseCell,
  }
}
