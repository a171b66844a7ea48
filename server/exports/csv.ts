import { FORMULA_START } from '@tatami/contract/import/students-csv'
import Papa from 'papaparse'

/** Without this mark, Excel would not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'

/** Lists are joined with semicolons, and objects are written as JSON. */
type CsvValue = string | number | boolean | null | undefined | object
export type CsvRow = Record<string, CsvValue>

function formatCell(value: CsvValue): string | number {
  if (typeof value === 'number') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : value
}

const toCsvLines = (rows: (string | number)[][]) =>
  Papa.unparse(rows, { newline: LINE_END, escapeFormulae: FORMULA_START }) + LINE_END

export async function* writeCsvBlocks(
  columns: readonly string[],
  blocks: AsyncIterable<CsvRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsvLines([[...columns]])
  for await (const rows of blocks)
    if (rows.length > 0)
      yield toCsvLines(rows.map((row) => columns.map((column) => formatCell(row[column]))))
}

export async function* writeJsonBlocks(blocks: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of blocks) {
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
