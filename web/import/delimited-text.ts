/** Why a sheet cannot be read, in words for the person who chose it. */
export class SheetError extends Error {}

export const MAX_TABLE_ROWS = 10_000
export const MAX_TABLE_COLUMNS = 500
/** The longest cell of an import: a quotation mark further away closes nothing. */
const MAX_QUOTED = 8000
const MAX_STRAY_QUOTES = 100

const TOO_MANY_CELLS =
  `This sheet has more than ${MAX_TABLE_ROWS.toLocaleString('en')} rows or ` +
  `${MAX_TABLE_COLUMNS} columns. Copy the cells with your students and paste them here.`
const TOO_MANY_QUOTES =
  'This file has too many unclosed quotation marks. Copy its cells and paste them here.'

/** `strayQuotes` are the indexes of the rows with a quotation mark that is never closed. */
export type DelimitedTable = { rows: string[][]; strayQuotes: number[] }

type Cell = { text: string; end: number }
/** `opensAnother`: it contains a quotation mark at the start of a cell. */
type QuotedCell = Cell & { opensAnother: boolean }

/**
 * Parses a CSV. A quotation mark that is never closed, or only rows later, is dropped, so that it
 * does not swallow rows. Takes linear time.
 */
export function parseDelimited(text: string, delimiter: string): DelimitedTable {
  const rows: string[][] = []
  const strayQuotes: number[] = []
  let row: string[] = []
  let position = 0
  while (position <= text.length) {
    const isStray =
      text[position] === '"' && isStrayQuote(text, position, delimiter, row.length, rows[0]?.length)
    if (isStray) strayQuotes.push(rows.length)
    const cell =
      (isStray ? null : quotedCell(text, position, delimiter)) ??
      plainCell(text, isStray ? position + 1 : position, delimiter)
    row.push(cell.text)
    position = cell.end + 1
    if (text[cell.end] !== delimiter) {
      rows.push(row)
      row = []
      if (text[cell.end] === '\r' && text[position] === '\n') position += 1
    }
    if (rows.length > MAX_TABLE_ROWS || row.length > MAX_TABLE_COLUMNS)
      throw new SheetError(TOO_MANY_CELLS)
    if (strayQuotes.length > MAX_STRAY_QUOTES) throw new SheetError(TOO_MANY_QUOTES)
  }
  return { rows, strayQuotes }
}

const isEndOfCell = (char: string | undefined, delimiter: string) =>
  char === undefined || char === delimiter || char === '\n' || char === '\r'

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start
  while (!isEndOfCell(text[end], delimiter)) end += 1
  return { text: text.slice(start, end), end }
}

/** The quoted cell at `start`; null if there is none or it does not end. */
function quotedCell(text: string, start: number, delimiter: string): QuotedCell | null {
  if (text[start] !== '"') return null
  let opensAnother = false
  let quote = text.indexOf('"', start + 1)
  while (quote >= 0 && quote - start <= MAX_QUOTED) {
    let end = quote + 1
    if (text[end] === '"') {
      quote = text.indexOf('"', quote + 2)
      continue
    }
    while (text[end] === ' ') end += 1
    if (isEndOfCell(text[end], delimiter))
      return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end, opensAnother }
    opensAnother ||= isEndOfCell(text[quote - 1], delimiter)
    quote = text.indexOf('"', quote + 1)
  }
  return null
}

/**
 * True if the quotation mark at `start` would swallow rows: nothing closes it, or the lines in it
 * have the sheet's width on their own.
 */
function isStrayQuote(
  text: string,
  start: number,
  delimiter: string,
  previousCells: number,
  width = 0,
): boolean {
  const cell = quotedCell(text, start, delimiter)
  if (!cell) return true
  const endOfLine = text.slice(cell.end).search(/[\r\n]|$/)
  const lines = text.slice(start, cell.end + endOfLine).split(/\r\n?|\n/)
  if (lines.length < 2 || width < 2) return false
  const [first = 0, second = 0, ...laterWidths] = lines.map((line) => line.split(delimiter).length)
  if (previousCells + first !== width) return false
  if (cell.opensAnother) return second >= width
  return width > 2 && [second, ...laterWidths].every((cells) => cells === width)
}
