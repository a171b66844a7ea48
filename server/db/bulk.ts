import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './database.ts'

/** A condition with one parameter for any number of values: PostgreSQL takes 65,535 parameters at most, and many are slow. */
export const equalsAny = (column: PgColumn, values: string[]): SQL => sql`${column} = any(${sql.param(values)})`

/** Inserts rows in one statement with one parameter. */
export async function insertMany<T extends PgTable>(tx: Tx, table: T, rows: T['$inferInsert'][]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.entries(getTableColumns(table)).filter(
    ([key, { defaultFn }]) => defaultFn !== undefined || rows.some((row) => key in row),
  )
  const records = rows.map((row: Record<string, unknown>) =>
    Object.fromEntries(
      columns.map(([key, column]) => [column.name, key in row ? column.mapToDriverValue(row[key]) : column.defaultFn?.()]),
    ),
  )
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  )
  const types = sql.join(
    columns.map(([, column]) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`),
    sql`, `,
  )
  await tx.execute(
    sql`insert into ${table} (${names}) select ${names} from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as given(${types})`,
  )
}
