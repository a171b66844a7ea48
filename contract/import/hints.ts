import { quoteCell } from './row-reader.ts'
import { cellText, normalizeText, isBlankValue } from './values.ts'
import { regex } from './patterns.ts'

/** Instructions in the row below the headings of a template, such as "required" or "mm/dd/yyyy". */
const HINT = regex('i')`
  ^\W*(required|optional|mandatory|(mm|dd|yyyy|yy)[-/. ](mm|dd)[-/. ](yyyy|yy|dd)|\d+ digits?
  |(free )?text|string|number|numeric|date|yes ?\/ ?no|y ?\/ ?n|true ?\/ ?false|drop ?down|(if
  |only) .{1,40}|e\.?g\.?\W.*|i\.?e\.?\W.*|format\b.*|max .*|choose .*|select .*|enter .*
  |type .*|example\W.*)\W*$`
const NAME_HINT = /^\W*(required|optional|mandatory)\W*( \W*(required|optional|mandatory)\W*)*$/i
const EXAMPLE_ROW = regex('i')`
  \b(example|sample|dummy|test)\b.*\b(delete|remove|row|do not import|only)\b|\b(delete|remove
  |ignore) this (row|line)\b|^\W*example\W*$`

export function isHintRow(cells: readonly string[], name: string): boolean {
  if (NAME_HINT.test(name)) return true
  const texts = cells.map(cellText).filter((text) => !isBlankValue(text))
  const hints = texts.filter((text) => HINT.test(text))
  return hints.length >= 2 && hints.length * 2 > texts.length
}

/** Quotes the cell that marks a row as an example: "Parent: EXAMPLE - delete this row". */
export function quoteExampleRow(
  cells: readonly string[],
  headings: readonly string[],
): string | null {
  const column = cells.findIndex((cell) => EXAMPLE_ROW.test(cellText(cell)))
  const text = cellText(cells[column] ?? '')
  if (column < 0 || normalizeText(text) === '') return null
  return quoteCell(cellText(headings[column] ?? '') || 'Row', text)
}
