import { and, asc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'

/** How many rows are in memory at once. */
const BLOCK_ROWS = 1000

export type Row = Record<string, unknown>
/** Reads from a transaction for as long as it is under way. */
export type Source = { tx: Tx; dojoId: string; signal: AbortSignal }

/** The columns of a table that leave in an export, in their order: not the dojo's id, which is in every row the same, and none that is hidden. */
export const columnsOf = (
  table: PgTable,
  hiddenColumns: readonly string[] = [],
): Record<string, PgColumn> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(
      ([name]) => name !== 'dojo_id' && !hiddenColumns.includes(name),
    ),
  )

/** What tells the rows of one dojo apart, in the order of its index. */
function keyOf(table: PgTable): PgColumn[] {
  const { primaryKeys, columns } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return key.filter(({ name }) => name !== 'dojo_id')
}

const tuple = (parts: (PgColumn | SQL)[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`

/** All rows of a table, or those of `where`, in blocks by the order of its key. A key that is not among `columns` is read and left out. */
export async function* blocksOf(
  { tx, signal }: Source,
  table: PgTable,
  {
    columns = columnsOf(table),
    where,
  }: { columns?: Record<string, PgColumn>; where?: SQL | undefined } = {},
): AsyncGenerator<Row[]> {
  const key = keyOf(table)
  const selectedColumns = {
    ...Object.fromEntries(key.map((column) => [column.name, column])),
    ...columns,
  }
  let lastKey: unknown[] | undefined
  do {
    signal.throwIfAborted()
    const further = lastKey && sql`${tuple(key)} > ${tuple(lastKey.map((value) => sql`${value}`))}`
    const rows: Row[] = await tx
      .select(selectedColumns)
      .from(table)
      .where(and(where, further))
      .orderBy(...key.map((column) => asc(column)))
      .limit(BLOCK_ROWS)
    yield rows.map((row) =>
      Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])),
    )
    lastKey =
      key.length > 0 && rows.length === BLOCK_ROWS
        ? key.map(({ name }) => rows.at(-1)![name])
        : undefined
  } while (lastKey)
}
