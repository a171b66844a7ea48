import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Control characters that ASCII has for this; no call takes them in a text. */
const END_OF_COLUMN = '\x1e',
  END_OF_VALUE = '\x1f',
  NULL = '\x1d',
  END_OF_PART = '\x1c'

type Columns = Record<string, SQL | PgColumn>

/**
 * An aggregate that writes all rows of a query in one text, one column after the other, for `readTextColumns`: the driver takes several times
 * longer for the columns of hundreds of rows, and PostgreSQL for writing them as JSON, because it looks the type of each value up again in
 * each row.
 */
export const textColumns = (columns: Columns, order?: SQL | PgColumn): SQL => {
  const texts = Object.values(columns).map(
    (column) =>
      sql`string_agg(coalesce(${column}::text, e'\\x1d'), e'\\x1f'${order && sql` order by ${order}`})`,
  )
  return sql`concat_ws(e'\\x1e', count(*), ${sql.join(texts, sql`, `)})`
}

/** Of each column, the values of the rows. */
export type ReadColumns<C> = Record<keyof C, string[]>

/** What `read` makes of each row, by its number, of the columns that `textColumns` has written; nothing where there is no text. */
export function readTextRows<C extends Columns, T>(
  columns: C,
  text: string | null,
  read: (of: ReadColumns<C>, row: number) => T,
): T[] {
  const names = Object.keys(columns),
    [counted = '0', ...texts] = text?.split(END_OF_COLUMN) ?? []
  const rows = Number(counted)
  if (rows === 0) return []
  const values = texts.map((column) => column.split(END_OF_VALUE))
  if (values.length !== names.length || values.some(({ length }) => length !== rows))
    throw endsEarly()
  const of = Object.fromEntries(names.map((name, at) => [name, values[at]])) as ReadColumns<C>
  return Array.from({ length: rows }, (_, row) => read(of, row))
}

const endsEarly = () => new Error('A value holds a character that ends a value')

/**
 * Columns in which few rows have anything, as one column, for `rareReader`: it is empty where all are null. A column of its own costs
 * PostgreSQL and the reader as much whether anything is in it or not.
 */
export const rareColumn = (columns: Columns): SQL => {
  const parts = Object.values(columns),
    texts = parts.map((part) => sql`coalesce(${part}::text, e'\\x1d')`)
  return sql`case when num_nonnulls(${sql.join(parts, sql`, `)}) > 0 then concat_ws(e'\\x1c', ${sql.join(texts, sql`, `)}) else '' end`
}

/** A flag that is false in most rows: null where it is, as `rareColumn` wants it. */
export const trueOrNull = (flag: SQL | PgColumn): SQL => sql`nullif(${flag}, false)`

/** Reads what `rareColumn` has written of a row. */
export function rareReader<C extends Columns>(
  columns: C,
): (text: string) => Record<keyof C, string> {
  const names = Object.keys(columns)
  const rowOf = (parts: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [name, parts[at]])) as Record<keyof C, string>
  const none = rowOf(names.map(() => NULL))
  return (text) => {
    if (text === '') return none
    const parts = text.split(END_OF_PART)
    if (parts.length !== names.length) throw endsEarly()
    return rowOf(parts)
  }
}

const ID_LENGTH = 36
/** An aggregate that writes two ids of each row, for `readIdPairs`. All are of one length, so that nothing stands between them. */
export const idPairs = (first: SQL | PgColumn, second: SQL | PgColumn, order: SQL): SQL =>
  sql`string_agg(${first}::text || ${second}::text, '' order by ${order})`

export function readIdPairs(text: string | null, read: (first: string, second: string) => void) {
  const ids = text ?? ''
  for (let at = 0; at < ids.length; at += 2 * ID_LENGTH)
    read(ids.slice(at, at + ID_LENGTH), ids.slice(at + ID_LENGTH, at + 2 * ID_LENGTH))
}

export const textOrNull = (value: string | undefined): string | null =>
  value === NULL ? null : value!
export const flagOrNull = (value: string | undefined): boolean | null =>
  value === NULL ? null : value === 'true'
export const numberOrNull = (value: string | undefined): number | null =>
  value === NULL ? null : Number(value)
/** Cents as dollars. */
export const dollarsOrNull = (value: string | undefined): number | null =>
  value === NULL ? null : Number(value) / 100
/** PostgreSQL's text of an array of ids, which needs no quotes. */
export const idsIn = (value: string | undefined): string[] =>
  value === NULL || value === '{}' ? [] : value!.slice(1, -1).split(',')
