import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Control characters that ASCII has for this; no call takes them in a text. */
const END_OF_COLUMN = '\x1e',
  END_OF_VALUE = '\x1f',
  NULL = '\x1d'

type Columns = Record<string, SQL | PgColumn>

/**
 * An aggregate that writes all rows of a query in one text, one column after the other, for `readTextColumns`: the driver takes several times
 * longer for the columns of hundreds of rows, and PostgreSQL for writing them as JSON, because it looks the type of each value up again in
 * each row.
 */
export const textColumns = (columns: Columns, order?: SQL | PgColumn): SQL => {
  const texts = Object.values(columns).map(
    (column) => sql`string_agg(coalesce(${column}::text, e'\\x1d'), e'\\x1f'${order && sql` order by ${order}`})`,
  )
  return sql`concat_ws(e'\\x1e', count(*), ${sql.join(texts, sql`, `)})`
}

/** Of each column, the values of the rows. */
export type ReadColumns<C> = Record<keyof C, string[]>

/** What `read` makes of each row, by its number, of the columns that `textColumns` has written; nothing where there is no text. */
export function readTextRows<C extends Columns, T>(columns: C, text: string | null, read: (of: ReadColumns<C>, row: number) => T): T[] {
  const names = Object.keys(columns),
    [counted = '0', ...texts] = text?.split(END_OF_COLUMN) ?? []
  const rows = Number(counted)
  if (rows === 0) return []
  const values = texts.map((column) => column.split(END_OF_VALUE))
  if (values.length !== names.length || values.some(({ length }) => length !== rows))
    throw new Error('A value holds a character that ends a value')
  const of = Object.fromEntries(names.map((name, at) => [name, values[at]])) as ReadColumns<C>
  return Array.from({ length: rows }, (_, row) => read(of, row))
}

export const textOrNull = (value: string | undefined): string | null => (value === NULL ? null : value!)
export const flagOrNull = (value: string | undefined): boolean | null => (value === NULL ? null : value === 'true')
export const numberOrNull = (value: string | undefined): number | null => (value === NULL ? null : Number(value))
/** Cents as dollars. */
export const dollarsOrNull = (value: string | undefined): number | null => (value === NULL ? null : Number(value) / 100)
/** PostgreSQL's text of an array of ids, which needs no quotes. */
export const idsIn = (value: string | undefined): string[] => (value === NULL || value === '{}' ? [] : value!.slice(1, -1).split(','))
