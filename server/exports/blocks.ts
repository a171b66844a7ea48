import { and, asc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'

const BLOCK_ROWS = 1000

export type Row = Record<string, unknown>
/** A transaction to read from until the signal aborts. */
export type Source = { tx: Tx; dojoId: string; signal: AbortSignal }

/** The exported columns, without the dojo's id, which is the same in every row. */
export const columnsOf = (
  table: PgTable,
  hiddenColumns: readonly string[] = [],
): Record<string, PgColumn> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(
      ([name]) => name !== 'dojo_id' && !hiddenColumns.includes(name),
    ),
  )

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
