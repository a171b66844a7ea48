import { utcDay } from '@tatami/contract/lib/calendar-day'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { type DelimitedTable, parseDelimited } from './delimited-text.ts'
import { checkWorkbook } from './check-workbook.ts'
import { SheetError } from './sheet-error.ts'

/** The cells of a sheet, and what whoever brings it should look at. */
export type ReadTable = { rows: string[][]; warnings: string[] }

const MEGABYTE = 1024 * 1024
/** A sheet of two thousand students has a tenth of it. */
const MAX_TEXT = 5 * MEGABYTE
/** A workbook may hold pictures besides. */
const MAX_FILE_BYTES = 20 * MEGABYTE
/** Of its unpacked text. */
const MAX_UNPACKED_BYTES = 30 * MEGABYTE
const PARTS_OF_WORKBOOK = /\.(xml|rels)$/

const TOO_LARGE = 'This sheet is too large. Copy the cells with your students and paste them here.'

const DELIMITERS = [',', ';', '\t', '|']
/** So much of a text tells what separates its cells. */
const SAMPLE_LENGTH = 20_000
const SAMPLE_LINES = 10

/** The cells of what was pasted from a spreadsheet, or of a CSV in whichever separator. */
export function tableOfText(text: string): ReadTable {
  if (text.length > MAX_TEXT) throw new SheetError(TOO_LARGE)
  const bare = text.replace(/^\u{FEFF}/u, '').trimEnd()
  const { rows, strayQuotes } = parseDelimited(bare, delimiterOf(bare))
  return { rows, warnings: strayQuotes.length > 0 ? [strayQuoteWarning(rows, strayQuotes)] : [] }
}

/** The separator that splits the first lines most evenly, and into most cells; a tab is a spreadsheet's own. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SAMPLE_LENGTH)
    .split(/\r\n?|\n/)
    .slice(0, SAMPLE_LINES)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''))
  if (lines[0]?.includes('\t')) return '\t'
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, ...evenness(lines, delimiter) }))
  const [best] = scores.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return best?.delimiter ?? ','
}

/** How many of the lines have the same number of cells, where that is more than one. */
function evenness(lines: string[], delimiter: string): { lines: number; cells: number } {
  const widths = lines.map((line) => line.split(delimiter).length).filter((width) => width > 1)
  const byWidth = [...Map.groupBy(widths, (width) => width)]
  const [commonest] = byWidth.toSorted(([, a], [, b]) => b.length - a.length)
  return { lines: commonest?.[1].length ?? 0, cells: commonest?.[0] ?? 0 }
}

const MANY_ROWS = 5

function strayQuoteWarning(rows: DelimitedTable['rows'], strayQuotes: number[]): string {
  const rowNames = [...new Set(strayQuotes)].map((row) => {
    const name = rows[row]?.find((cell) => cell.trim() !== '')
    return `“${name?.slice(0, 40) ?? ''}”`
  })
  const list = new Intl.ListFormat('en').format([
    ...rowNames.slice(0, MANY_ROWS),
    ...(rowNames.length > MANY_ROWS ? [`${rowNames.length - MANY_ROWS} more`] : []),
  ])
  const rowsInWords = rowNames.length === 1 ? 'the row that begins' : 'the rows that begin'
  return `A quotation mark is never closed in ${rowsInWords} with ${list}. It was left out, so that it takes no rows with it. Please check what was read there.`
}

/** The cells of a CSV or XLSX file. Throws what a reader can be told. */
export async function tableOfFile(file: File): Promise<ReadTable> {
  if (file.size > MAX_FILE_BYTES) throw new SheetError(TOO_LARGE)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (isZip) return { rows: await tableOfWorkbook(bytes), warnings: [] }
  if (bytes.length > MAX_TEXT) throw new SheetError(TOO_LARGE)
  return tableOfText(decodeText(bytes))
}

/** Excel saves as UTF-8 where it was asked to, and else in the code page of Western Europe or as "Unicode text". */
function decodeText(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The first sheet. The library unpacks large parts in a worker that the content policy forbids: it gets them unpacked. */
async function tableOfWorkbook(bytes: Uint8Array): Promise<string[][]> {
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!PARTS_OF_WORKBOOK.test(name)) return false
      size += originalSize
      if (size > MAX_UNPACKED_BYTES) throw new SheetError(TOO_LARGE)
      return true
    },
  })
  checkWorkbook(parts)
  const unpackedZip = zipSync(parts, { level: 0 })
  const rows = await readSheet(new Blob([unpackedZip]))
  return rows.map((row) => row.map(textOfCell))
}

/** A date is a day without a time of day; what it shows depends on the spreadsheet's own language. */
const textOfCell = (cell: unknown): string =>
  cell instanceof Date
    ? utcDay(cell)
    : ['string', 'number', 'boolean'].includes(typeof cell)
      ? `${cell as string | number | boolean}`
      : ''
