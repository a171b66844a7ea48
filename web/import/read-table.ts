import { unzipSync, zipSync } from 'fflate'
import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/universal'

/** Of an unpacked workbook: a sheet of students has a hundredth of it. */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
const PARTS_OF_WORKBOOK = /\.(xml|rels)$/

/** The cells of what was pasted from a spreadsheet, or of a CSV in whichever separator. */
export function tableOfText(text: string): string[][] {
  const bare = text.replace(/^\u{FEFF}/u, '').trimEnd()
  const { data } = Papa.parse<string[]>(bare, {
    delimiter: bare.split('\n', 1)[0]!.includes('\t') ? '\t' : '',
  })
  return data
}

/** The cells of a CSV or XLSX file. Throws what a reader can be told. */
export async function tableOfFile(file: File): Promise<string[][]> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  return isZip ? tableOfWorkbook(bytes) : tableOfText(decoded(bytes))
}

/** Excel saves as UTF-8 where it was asked to, and else in the code page of Western Europe or as "Unicode text". */
function decoded(bytes: Uint8Array): string {
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
      if (size > MAX_UNPACKED_BYTES) throw new Error('The workbook is too large')
      return true
    },
  })
  const unpacked = zipSync(parts, { level: 0 })
  const rows = await readSheet(new Blob([unpacked]))
  return rows.map((row) => row.map(textOfCell))
}

/** A date is a day without a time of day; what it shows depends on the spreadsheet's own language. */
const textOfCell = (cell: unknown): string =>
  cell instanceof Date
    ? cell.toISOString().slice(0, 10)
    : ['string', 'number', 'boolean'].includes(typeof cell)
      ? `${cell as string | number | boolean}`
      : ''
