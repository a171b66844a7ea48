import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, SheetError } from './delimited-text.ts'

/** "xl/worksheets/sheet1.xml" */
const WORKSHEET = /(^|\/)worksheets\/[^/]+\.xml$/
/** `<row r="2">` */
const ROW = /<(?:\w+:)?row\s([^<>]*)>/g
/** `<c r="B2">`, unless the cell is empty: formats may reach far beyond the last filled cell. */
const FILLED_CELL = /<(?:\w+:)?c\s([^<>]*[^<>/])>(?!\s*<\/)/g
/** `r="B2"` of a cell or `r="2"` of a row */
const ADDRESS = /(?:^|\s)r\s*=\s*["']([^"']*)["']/
const EXCEL_LAST_ROW = 1_048_576

/** Throws if a cell is too far from the first one, because the library creates all cells
 *  between. */
export function checkWorkbook(files: Record<string, Uint8Array>): void {
  for (const [path, bytes] of Object.entries(files)) {
    if (!WORKSHEET.test(path)) continue
    const xml = new TextDecoder().decode(bytes)
    for (const [, attributes = ''] of xml.matchAll(FILLED_CELL)) checkCell(attributes)
    for (const [, attributes = ''] of xml.matchAll(ROW)) checkRow(attributes)
  }
}

function checkCell(attributes: string): void {
  const address = ADDRESS.exec(attributes)?.[1]
  if (address === undefined) return
  const [, letters = '', row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  const column = parseColumn(letters)
  const isWithinLimits = column > 0 && column <= MAX_TABLE_COLUMNS && Number(row) <= MAX_TABLE_ROWS
  if (!isWithinLimits) throw farCellError(address)
}

/** 1 for "A", 27 for "AA", 0 for no letters */
const parseColumn = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

function checkRow(attributes: string): void {
  const row = ADDRESS.exec(attributes)?.[1]
  if (row === undefined) return
  const isValid = Number(row) <= EXCEL_LAST_ROW
  if (!isValid) throw farCellError(`row ${row}`)
}

const farCellError = (address: string) =>
  new SheetError(
    `This workbook has something in ${address.slice(0, 20)}, far away from your students. ` +
      'Delete it there, or copy the cells with your students and paste them here.',
  )
