import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Passes all values as one parameter. Many parameters are slow, and more than 65,535 fail. */
export const equalsAny = (column: PgColumn | SQL, values: string[]): SQL =>
  sql`${column} = any(${sql.param(values)})`

const CHUNK_SIZE = 500

export async function inChunks<Row>(
  rows: Row[],
  work: (chunk: Row[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK_SIZE)
    await work(rows.slice(start, start + CHUNK_SIZE))
}
