import type { z } from 'zod'
import type { ImportField } from './columns.ts'
import { cellText, isFormulaError, isNothing } from './values.ts'

/** What is pointed out above the sheet as well. */
export const REMARK_KINDS = ['no_birthday', 'no_texts'] as const

export type CellRemark = {
  field: ImportField
  message: string
  /** The name as it is taken, where that is not what stands in the cell. */
  becomes?: string | undefined
  kind?: (typeof REMARK_KINDS)[number] | undefined
}

/** A cell in which something stands, with the heading of its column. */
export type FilledCell = { heading: string; text: string; raw: string }

/** No field of one line takes as much, so that what follows is refused by its rule. */
const LONGEST_LINE = 500

/** The cells of one row by what their columns mean, and what there is to say about them. */
export type RowReader = ReturnType<typeof rowReader>

export function rowReader(
  columns: readonly ImportField[],
  cells: readonly string[],
  headings: readonly string[],
  ticks: ReadonlySet<number> = new Set(),
) {
  const problems: CellRemark[] = []
  const notices: CellRemark[] = []
  /** Lines for the private notes. */
  const notes: string[] = []

  for (const [index, field] of columns.entries()) {
    const text = cellText(cells[index] ?? '')
    if (isFormulaError(text))
      notices.push({ field, message: `“${text}” is a spreadsheet’s error: left empty` })
  }

  /** Of a field of several columns all that are filled. `answer` is what counts as filled although it says "none". */
  const filledCells = (field: ImportField, answer?: RegExp): FilledCell[] =>
    columns.flatMap((column, index) => {
      const raw = cells[index] ?? ''
      const text = column === field ? cellText(raw).slice(0, LONGEST_LINE) : ''
      if (isNothing(text) && !answer?.test(text)) return []
      return [{ heading: cellText(headings[index] ?? ''), text, raw }]
    })
  /** The heading of a field that is blank here and ticked for others; null where it is not. */
  function blankTick(field: ImportField): string | null {
    const index = columns.findIndex((column, place) => column === field && ticks.has(place))
    if (index < 0 || filledCells(field).length > 0) return null
    return cellText(headings[index] ?? '')
  }
  const raw = (field: ImportField) => filledCells(field)[0]?.raw ?? ''
  const text = (field: ImportField) => filledCells(field)[0]?.text ?? ''

  /** The value by the rule of its form, or a problem and null; null where the cell is empty. */
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
