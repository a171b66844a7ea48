import { utcDay } from '@tatami/contract/lib/calendar-day'
import { toCents, toDollars } from '@tatami/contract/lib/money'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { checkWorkbook } from './check-workbook.ts'
import { SheetError, TOO_LARGE } from './delimited-text.ts'
import { refuseOtherZipFile } from './file-kinds.ts'
import { fillMergedCells, listWorksheets, removeHiddenRows } from './workbook-xml.ts'

const MAX_UNPACKED_BYTES = 30 * 1024 * 1024
const WORKBOOK_PART = /\.(xml|rels)$/

export type WorkbookSheet = { name: string; rows: string[][]; hiddenRows: number }

/** Reads visible sheets that are not empty, without rows that a filter hides. */
export async function readWorkbook(bytes: Uint8Array): Promise<WorkbookSheet[]> {
  const parts = unpack(bytes)
  checkWorkbook(parts)
  const worksheets = listWorksheets(parts).filter(({ isHidden }) => !isHidden)
  const hiddenRowCounts = worksheets.map(({ path }) => removeHiddenRows(parts, path))
  // The library would unpack the file in a worker, which our content security policy forbids.
  const unpackedZip = new Blob([zipSync(parts, { level: 0 })])
  const sheets: WorkbookSheet[] = []
  for (const [index, { name, number, path }] of worksheets.entries()) {
    const data = await readSheet(unpackedZip, number)
    const rows = data.map((row) => row.map(formatCell))
    fillMergedCells(rows, parts[path])
    if (rows.length > 0) sheets.push({ name, rows, hiddenRows: hiddenRowCounts[index] ?? 0 })
  }
  return sheets
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let size = 0
  const names: string[] = []
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      names.push(name)
      if (!WORKBOOK_PART.test(name)) return false
      size += originalSize
      if (size > MAX_UNPACKED_BYTES) throw new SheetError(TOO_LARGE)
      return true
    },
  })
  refuseOtherZipFile(names)
  return parts
}

function formatCell(cell: unknown): string {
  if (cell instanceof Date) return utcDay(cell)
  // 95 divided by 8 is 11.875, which could be read as eleven thousand.
  if (typeof cell === 'number') return String(toDollars(toCents(cell)))
  return typeof cell === 'string' || typeof cell === 'boolean' ? String(cell) : ''
}
