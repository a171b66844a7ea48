import { fillPlaceholders, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Tx } from './database.ts'

const dialect = new PgDialect()

/**
 * A statement for calls that are made all the time: its SQL is built once, and each connection parses and plans it once, under its name
 * (unless PREPARED_STATEMENTS is off). `sql.placeholder('x')` stands for the value `x`. Rows are as the driver reads them: cast a date to
 * text. Name the columns that are returned, because a plan does not survive a change of them.
 */
export function prepared<Values extends Record<string, unknown>, Row extends object>(
  name: string,
  query: SQL,
): Prepared<Values, Row> {
  const { sql, params } = dialect.sqlToQuery(query)
  return async (tx, values) =>
    (await tx.executeSql(sql, fillPlaceholders(params, values), name)).rows as Row[]
}

type Prepared<Values, Row> = (tx: Tx, values: Values) => Promise<Row[]>
