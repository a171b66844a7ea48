import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Control characters that ASCII has for this; no call takes them in a text. */
const END_OF_ROW = '\x1e',
  END_OF_VALUE = '\x1f',
  NULL = '\x1d'

type Columns = Record<string, SQL | PgColumn>

/**
 * An aggregate that writes all rows of a query in one text, for `readTextRows`: the driver takes several times longer for the columns of
 * hundreds of rows, and PostgreSQL for writing them as JSON, because it looks the type of each value up again in each row.
 */
export const textRows = (columns: Columns, order?: SQL | PgColumn): SQL => {
  const values = Object.values(columns).map((column) => sql`coalesce(${column}::text, e'\\x1d')`)
  return sql`string_agg(concat_ws(e'\\x1f', ${sql.join(values, sql`, `)}), e'\\x1e'${order && sql` order by ${order}`})`
}

/** What `read` makes of each row that `textRows` has written, null where there was none. A value of a column is at its place in the row. */
export function readTextRows<C extends Columns, T>(
  columns: C,
  text: string | null,
  read: (row: string[], place: Record<keyof C, number>) => T,
): T[] {
  const names = Object.keys(columns)
  const place = Object.fromEntries(names.map((name, at) => [name, at])) as Record<keyof C, number>
  return (text?.split(END_OF_ROW) ?? []).map((line) => {
    const row = line.split(END_OF_VALUE)
    if (row.length !== names.length) throw new Error('A value holds a character that ends a value')
    return read(row, place)
  })
}

export const textOrNull = (value: string | undefined): string | null => (value === NULL ? null : value!)
export const flagOrNull = (value: string | undefined): boolean | null => (value === NULL ? null : value === 'true')
export const numberOrNull = (value: string | undefined): number | null => (value === NULL ? null : Number(value))
/** Cents as dollars. */
export const dollarsOrNull = (value: string | undefined): number | null => (value === NULL ? null : Number(value) / 100)
/** PostgreSQL's text of an array of ids, which needs no quotes. */
export const idsIn = (value: string | undefined): string[] => (value === NULL || value === '{}' ? [] : value!.slice(1, -1).split(','))
