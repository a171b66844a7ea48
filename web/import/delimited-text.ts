/** The sheet cannot be read. The message tells the user why. */
export class SheetError extends Error {}

export const TOO_LARGE =
  'This sheet is too large. Copy the cells with your students and paste them here.'

export const MAX_TABLE_ROWS = 10_000
export const MAX_TABLE_COLUMNS = 500
/** The longest quoted cell. A quotation mark further away does not end the cell. */
const MAX_QUOTED_LENGTH = 8000
const MAX_STRAY_QUOTES = 100

const TOO_MANY_CELLS =
  `This sheet has more than ${MAX_TABLE_ROWS.toLocaleString('en')} rows or ` +
  `${MAX_TABLE_COLUMNS} columns. Copy the cells with your students and paste them here.`
const TOO_MANY_QUOTES =
  'This file has too many unclosed quotation marks. Copy its cells and paste them here.'

/** `strayQuoteRows` are the indexes of rows with a quotation mark that is never closed. */
export type DelimitedTable = { rows: string[][]; strayQuoteRows: number[] }

/** `end` is the index of the delimiter or line break after the cell, or the length of the text. */
type Cell = { text: string; end: number }
/** `hasInnerOpening` is true if a quotation mark inside the cell could start another cell. */
type QuotedCell = Cell & { hasInnerOpening: boolean }

/** Parses text in linear time. Ignores stray quotation marks, so that no rows are lost. */
export function parseDelimited(text: string, delimiter: string): DelimitedTable {
  const rows: string[][] = []
  const strayQuoteRows: number[] = []
  let row: string[] = []
  let position = 0
  while (position <= text.length) {
    const isStray =
      text[position] === '"' && isStrayQuote(text, position, delimiter, row.length, rows[0]?.length)
    if (isStray) strayQuoteRows.push(rows.length)
    const cell = isStray
      ? readPlainCell(text, position + 1, delimiter)
      : readCell(text, position, delimiter)
    row.push(cell.text)
    position = cell.end + 1
    if (text[cell.end] !== delimiter) {
      rows.push(row)
      row = []
      if (text[cell.end] === '\r' && text[position] === '\n') position += 1
    }
    if (rows.length > MAX_TABLE_ROWS || row.length > MAX_TABLE_COLUMNS)
      throw new SheetError(TOO_MANY_CELLS)
    if (strayQuoteRows.length > MAX_STRAY_QUOTES) throw new SheetError(TOO_MANY_QUOTES)
  }
  return { rows, strayQuoteRows }
}

const isEndOfCell = (char: string | undefined, delimiter: string) =>
  char === undefined || char === delimiter || char === '\n' || char === '\r'

const readCell = (text: string, start: number, delimiter: string): Cell =>
  readQuotedCell(text, start, delimiter) ?? readPlainCell(text, start, delimiter)

function readPlainCell(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (!isEndOfCell(text[end], delimiter)) end += 1
  return { text: text.slice(start, end), end }
}

function readQuotedCell(text: string, start: number, delimiter: string): QuotedCell | null {
  if (text[start] !== '"') return null
  let hasInnerOpening = false
  let quote = text.indexOf('"', start + 1)
  while (quote >= 0 && quote - start <= MAX_QUOTED_LENGTH) {
    let end = quote + 1
    if (text[end] === '"') {
      quote = text.indexOf('"', quote + 2)
      continue
    }
    while (text[end] === ' ') end += 1
    if (isEndOfCell(text[end], delimiter))
      return {
        text: text.slice(start + 1, quote).replaceAll('""', '"'),
        end,
        hasInnerOpening,
      }
    hasInnerOpening ||= isEndOfCell(text[quote - 1], delimiter)
    quote = text.indexOf('"', quote + 1)
  }
  return null
}

/** True if the quotation mark is never closed, or if the lines inside it look like rows. */
function isStrayQuote(
  text: string,
  start: number,
  delimiter: string,
  cellsBefore: number,
  sheetWidth = 0,
): boolean {
  const cell = readQuotedCell(text, start, delimiter)
  if (!cell) return true
  const endOfLine = text.slice(cell.end).search(/[\r\n]|$/)
  const lines = text.slice(start, cell.end + endOfLine).split(/\r\n?|\n/)
  if (lines.length < 2 || sheetWidth < 2) return false
  const [firstWidth = 0, ...laterWidths] = lines.map((line) => line.split(delimiter).length)
  // The first line alone is not a complete row, so the cell has to continue on the next line.
  if (cellsBefore + firstWidth !== sheetWidth) return false
  const [secondWidth = 0] = laterWidths
  // If another cell could start inside, one complete row after it is enough to call it stray.
  if (cell.hasInnerOpening) return secondWidth >= sheetWidth
  // In a sheet of two columns, prose with one comma per line would look like rows.
  return sheetWidth > 2 && laterWidths.every((width) => width === sheetWidth)
}
