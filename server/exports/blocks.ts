import { and, asc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'

const BLOCK_ROWS = 1000

export type Row = Record<string, unknown>
/** The transaction that an export reads from. After `signal` aborts, it must not be used. */
export type ExportSource = { tx: Tx; dojoId: string; signal: AbortSignal }

export const listExportedColumns = (
  table: PgTable,
  hiddenColumns: readonly string[] = [],
): Record<string, PgColumn> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(
      ([name]) => name !== 'dojo_id' && !hiddenColumns.includes(name),
    ),
  )

function findPrimaryKey(table: PgTable): PgColumn[] {
  const { primaryKeys, columns } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return key.filter(({ name }) => name !== 'dojo_id')
}

const toTuple = (columnsOrValues: (PgColumn | SQL)[]) =>
  sql`(${sql.join(
    columnsOrValues.map((columnOrValue) => sql`${columnOrValue}`),
    sql`, `,
  )})`

/** Reads a table in blocks, in the order of its primary key. */
export async function* readBlocks(
  { tx, signal }: ExportSource,
  table: PgTable,
  {
    columns = listExportedColumns(table),
    where,
  }: { columns?: Record<string, PgColumn>; where?: SQL | undefined } = {},
): AsyncGenerator<Row[]> {
  const keyColumns = findPrimaryKey(table)
  const selectedColumns = {
    ...Object.fromEntries(keyColumns.map((column) => [column.name, column])),
    ...columns,
  }
  let lastKey: unknown[] | undefined
  do {
    signal.throwIfAborted()
    const afterLastKey =
      lastKey && sql`${toTuple(keyColumns)} > ${toTuple(lastKey.map((value) => sql`${value}`))}`
    const rows: Row[] = await tx
      .select(selectedColumns)
      .from(table)
      .where(and(where, afterLastKey))
      .orderBy(...keyColumns.map((column) => asc(column)))
      .limit(BLOCK_ROWS)
    yield rows.map((row) =>
      Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])),
    )
    lastKey =
      keyColumns.length > 0 && rows.length === BLOCK_ROWS
        ? keyColumns.map(({ name }) => rows.at(-1)![name])
        : undefined
  } while (lastKey)
}
