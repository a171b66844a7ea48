import { utcDay } from '@tatami/contract/lib/calendar-day'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { type DelimitedTable, parseDelimited, SheetError } from './delimited-text.ts'
import { checkWorkbook } from './check-workbook.ts'

export type SheetTable = { rows: string[][]; warnings: string[] }

const MEGABYTE = 1024 * 1024
const MAX_TEXT_LENGTH = 5 * MEGABYTE
const MAX_FILE_BYTES = 20 * MEGABYTE
const MAX_UNPACKED_BYTES = 30 * MEGABYTE
const WORKBOOK_PART = /\.(xml|rels)$/

const TOO_LARGE = 'This sheet is too large. Copy the cells with your students and paste them here.'

const DELIMITERS = [',', ';', '\t', '|']
const BYTE_ORDER_MARK = /^\u{FEFF}/u
const SAMPLE_LENGTH = 20_000
const SAMPLE_LINES = 10

export function readText(text: string): SheetTable {
  if (text.length > MAX_TEXT_LENGTH) throw new SheetError(TOO_LARGE)
  const trimmedText = text.replace(BYTE_ORDER_MARK, '').trimEnd()
  const { rows, strayQuotes } = parseDelimited(trimmedText, findDelimiter(trimmedText))
  return {
    rows,
    warnings: strayQuotes.length > 0 ? [formatStrayQuoteWarning(rows, strayQuotes)] : [],
  }
}

/** The unquoted delimiter that splits the first lines most evenly. Copied cells have tabs. */
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

/** The most common number of cells in a line (if above 1), and how many lines have it. */
function findCommonWidth(lines: string[], delimiter: string): { lines: number; cells: number } {
  const widths = lines.map((line) => line.split(delimiter).length).filter((width) => width > 1)
  const byWidth = [...Map.groupBy(widths, (width) => width)]
  const [mostCommon] = byWidth.toSorted(([, a], [, b]) => b.length - a.length)
  return { lines: mostCommon?.[1].length ?? 0, cells: mostCommon?.[0] ?? 0 }
}

const MAX_LISTED_ROWS = 5
const MAX_NAME_LENGTH = 40

function formatStrayQuoteWarning(rows: DelimitedTable['rows'], strayQuotes: number[]): string {
  const rowNames = [...new Set(strayQuotes)].map((row) => {
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

export async function readFile(file: File): Promise<SheetTable> {
  if (file.size > MAX_FILE_BYTES) throw new SheetError(TOO_LARGE)
  const bytes = new Uint8Array(await file.arrayBuffer())
  // An XLSX file is a ZIP file, which starts with "PK".
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (isZip) return { rows: await readWorkbook(bytes), warnings: [] }
  if (bytes.length > MAX_TEXT_LENGTH) throw new SheetError(TOO_LARGE)
  return readText(decodeText(bytes))
}

/** Excel saves CSV files as UTF-8, Windows-1252 or UTF-16. */
function decodeText(bytes: Uint8Array): string {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff
  if (isLittleEndian) return new TextDecoder('utf-16le').decode(bytes)
  if (isBigEndian) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Unpacks the file for the library, whose worker our content security policy forbids. */
async function readWorkbook(bytes: Uint8Array): Promise<string[][]> {
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!WORKBOOK_PART.test(name)) return false
      size += originalSize
      if (size > MAX_UNPACKED_BYTES) throw new SheetError(TOO_LARGE)
      return true
    },
  })
  checkWorkbook(parts)
  const unpackedZip = zipSync(parts, { level: 0 })
  const rows = await readSheet(new Blob([unpackedZip]))
  return rows.map((row) => row.map(formatCell))
}

function formatCell(cell: unknown): string {
  if (cell instanceof Date) return utcDay(cell)
  const isPlainValue =
    typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
  return isPlainValue ? String(cell) : ''
}
