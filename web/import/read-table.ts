import { decodeText, type TextReading } from './decode-text.ts'
import { type DelimitedTable, parseDelimited, SheetError, TOO_LARGE } from './delimited-text.ts'
import { refuseMarkup, refuseOtherFiles } from './file-kinds.ts'
import { readWorkbook, type WorkbookSheet } from './read-workbook.ts'

export type SheetTable = { rows: string[][]; warnings: string[] }

const MEGABYTE = 1024 * 1024
const MAX_TEXT_LENGTH = 5 * MEGABYTE
const MAX_FILE_BYTES = 20 * MEGABYTE

const DELIMITERS = [',', ';', '\t', '|']
const BYTE_ORDER_MARK = /^\u{FEFF}/u
const SAMPLE_LENGTH = 20_000
const SAMPLE_LINES = 10

export function readText(text: string): SheetTable {
  if (text.length > MAX_TEXT_LENGTH) throw new SheetError(TOO_LARGE)
  const trimmedText = text.replace(BYTE_ORDER_MARK, '').trimEnd()
  const { rows, strayQuoteRows } = parseDelimited(trimmedText, findDelimiter(trimmedText))
  return {
    rows,
    warnings: strayQuoteRows.length > 0 ? [formatStrayQuoteWarning(rows, strayQuoteRows)] : [],
  }
}

/** Finds the delimiter that splits the most lines into the same number of cells. Cells copied from a
 *  spreadsheet are separated by tabs. */
function findDelimiter(text: string): string {
  const lines = text
    .slice(0, SAMPLE_LENGTH)
    .split(/\r\n?|\n/)
    .slice(0, SAMPLE_LINES)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''))
  if (lines[0]?.includes('\t')) return '\t'
  const scores = DELIMITERS.map((delimiter) => ({
    delimiter,
    ...findCommonWidth(lines, delimiter),
  }))
  const [bestScore] = scores.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return bestScore?.delimiter ?? ','
}

/** Finds the most common number of cells in a line (if above 1), and how many lines have it. */
function findCommonWidth(lines: string[], delimiter: string): { lines: number; cells: number } {
  const widths = lines.map((line) => line.split(delimiter).length).filter((width) => width > 1)
  const byWidth = [...Map.groupBy(widths, (width) => width)]
  const [mostCommon] = byWidth.toSorted(([, a], [, b]) => b.length - a.length)
  return { lines: mostCommon?.[1].length ?? 0, cells: mostCommon?.[0] ?? 0 }
}

const MAX_LISTED_ROWS = 5
const MAX_NAME_LENGTH = 40

function formatStrayQuoteWarning(rows: DelimitedTable['rows'], strayQuoteRows: number[]): string {
  const rowNames = [...new Set(strayQuoteRows)].map((row) => {
    const name = rows[row]?.find((cell) => cell.trim() !== '')
    return `“${name?.slice(0, MAX_NAME_LENGTH) ?? ''}”`
  })
  const list = new Intl.ListFormat('en').format([
    ...rowNames.slice(0, MAX_LISTED_ROWS),
    ...(rowNames.length > MAX_LISTED_ROWS ? [`${rowNames.length - MAX_LISTED_ROWS} more`] : []),
  ])
  const isOneRow = rowNames.length === 1
  const location = isOneRow ? 'the row that begins' : 'the rows that begin'
  return (
    `A quotation mark is never closed in ${location} with ${list}, so we ignored it. ` +
    `Please check ${isOneRow ? 'that row' : 'those rows'}.`
  )
}

/** Only the user can say which sheet has the students, or how names are spelled. */
export type FileQuestion = {
  about: 'sheet' | 'spelling'
  options: { label: string; description: string; table: SheetTable }[]
}

export const isQuestion = (result: SheetTable | FileQuestion): result is FileQuestion =>
  'options' in result

export async function readFile(file: File): Promise<SheetTable | FileQuestion> {
  if (file.size > MAX_FILE_BYTES) throw new SheetError(TOO_LARGE)
  const bytes = new Uint8Array(await file.arrayBuffer())
  // An XLSX file is a ZIP file, which starts with "PK".
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (isZip) return chooseSheet(await readWorkbook(bytes))
  refuseOtherFiles(bytes)
  if (bytes.length > MAX_TEXT_LENGTH) throw new SheetError(TOO_LARGE)
  return chooseSpelling(decodeText(bytes))
}

function chooseSheet(sheets: readonly WorkbookSheet[]): SheetTable | FileQuestion {
  const options = sheets.map(({ name, rows, hiddenRows }) => ({
    label: name,
    description: formatRowCount(rows.length),
    table: { rows, warnings: hiddenRows > 0 ? [formatHiddenRows(hiddenRows)] : [] },
  }))
  const [option, secondOption] = options
  if (!option) return { rows: [], warnings: [] }
  return secondOption ? { about: 'sheet', options } : option.table
}

const formatRowCount = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

const formatHiddenRows = (count: number) =>
  `${formatRowCount(count)} ${count === 1 ? 'is' : 'are'} hidden in your sheet, perhaps by a ` +
  'filter, and left out. To import all rows, show them in your sheet and choose the file again.'

function chooseSpelling(readings: readonly TextReading[]): SheetTable | FileQuestion {
  const [reading, secondReading] = readings
  if (!reading) return { rows: [], warnings: [] }
  refuseMarkup(reading.text)
  if (!secondReading) return readText(reading.text)
  const options = readings.map(({ text, samples }) => ({
    label: samples.join(', '),
    description: '',
    table: readText(text),
  }))
  return { about: 'spelling', options }
}
