/** Reads what the spreadsheet library ignores: hidden sheets, hidden rows and merged cells. */

/** The files inside a workbook, by path. */
type WorkbookParts = Record<string, Uint8Array>
/** `number` is the sheet's position in the workbook, from 1. */
export type Worksheet = { name: string; number: number; path: string; isHidden: boolean }

const SHEET = /<(?:\w+:)?sheet\s([^<>]*)>/g
const RELATIONSHIP = /<(?:\w+:)?Relationship\s([^<>]*)>/g
const HIDDEN_ROW =
  /<((?:\w+:)?)row\s[^<>]*\bhidden\s*=\s*["'](?:1|true)["'][^<>]*?(?:\/>|>[^]*?<\/\1row>)/g
const CELL_TEXT = /<(?:\w+:)?v>|<(?:\w+:)?t[\s>]/
const MERGED_CELLS = /<(?:\w+:)?mergeCell\s[^<>]*\bref\s*=\s*["']([A-Z]+\d+):([A-Z]+\d+)["']/g

const decode = (bytes: Uint8Array | undefined) => (bytes ? new TextDecoder().decode(bytes) : '')

const readAttribute = (attributes: string, name: string): string =>
  new RegExp(String.raw`(?:^|\s)(?:\w+:)?${name}\s*=\s*["']([^"']*)["']`).exec(attributes)?.[1] ??
  ''

/** Lists the sheets with cells in the workbook's order, without charts. */
export function listWorksheets(parts: WorkbookParts): Worksheet[] {
  const relationships = decode(parts['xl/_rels/workbook.xml.rels'])
  const targetById = new Map(
    [...relationships.matchAll(RELATIONSHIP)].map(([, attributes = '']) => [
      readAttribute(attributes, 'Id'),
      readAttribute(attributes, 'Target'),
    ]),
  )
  const sheets = [...decode(parts['xl/workbook.xml']).matchAll(SHEET)]
  return sheets
    .map(([, attributes = ''], index) => ({
      name: decodeEntities(readAttribute(attributes, 'name')),
      number: index + 1,
      path: toPath(targetById.get(readAttribute(attributes, 'id')) ?? ''),
      isHidden: /hidden/i.test(readAttribute(attributes, 'state')),
    }))
    .filter(({ path }) => path.includes('worksheets/') && parts[path] !== undefined)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (text: string) =>
  text.replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)

const toPath = (target: string) => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

/** Returns how many of the removed rows had text. */
export function removeHiddenRows(parts: WorkbookParts, path: string): number {
  const xml = decode(parts[path])
  let count = 0
  const visibleXml = xml.replaceAll(HIDDEN_ROW, (row) => {
    if (CELL_TEXT.test(row)) count += 1
    return ''
  })
  if (visibleXml !== xml) parts[path] = new TextEncoder().encode(visibleXml)
  return count
}

/** Copies a merged cell, such as one parent next to several children, into each row that it covers. */
export function fillMergedCells(rows: string[][], worksheet: Uint8Array | undefined): void {
  for (const [, firstAddress = '', lastAddress = ''] of decode(worksheet).matchAll(MERGED_CELLS)) {
    const start = parseAddress(firstAddress)
    const lastRow = Math.min(parseAddress(lastAddress).row, rows.length - 1)
    const text = rows[start.row]?.[start.column] ?? ''
    if (text === '') continue
    for (const row of rows.slice(start.row + 1, lastRow + 1))
      if (row.some((cell) => cell !== '')) row[start.column] ||= text
  }
}

/** "B3" is row 2 and column 1, because both count from 0. */
function parseAddress(address: string): { row: number; column: number } {
  const letters = address.replace(/\d+/, '')
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { row: Number(address.slice(letters.length)) - 1, column: number - 1 }
}
