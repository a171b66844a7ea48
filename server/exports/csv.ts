import { FORMULA_START } from '@tatami/contract/import/students-csv'
import Papa from 'papaparse'

/** Without it Excel reads UTF-8 as the machine's own code page. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'

/** A list becomes names with semicolons, an object its JSON. */
type Value = string | number | boolean | null | undefined | object
export type CsvRow = Record<string, Value>

function cellOf(value: Value): string | number {
  if (typeof value === 'number') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : value
}

const linesOf = (rows: (string | number)[][]) =>
  Papa.unparse(rows, { newline: LINE_END, escapeFormulae: FORMULA_START }) + LINE_END

/** A CSV file in blocks. Fields without a column are left out. */
export async function* csvOf(
  columns: readonly string[],
  blocks: AsyncIterable<CsvRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + linesOf([[...columns]])
  for await (const rows of blocks)
    if (rows.length > 0)
      yield linesOf(rows.map((row) => columns.map((column) => cellOf(row[column]))))
}

export async function* jsonOf(blocks: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of blocks) {
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
