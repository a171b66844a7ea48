import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** One parameter for any number of values: PostgreSQL allows 65,535 at most, and many are slow. */
export const equalsAny = (column: PgColumn, values: string[]): SQL =>
  sql`${column} = any(${sql.param(values)})`

const CHUNK = 500

/** Runs `work` for chunks of the rows, one after the other. */
export async function inChunks<T>(
  rows: T[],
  work: (some: T[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK)
    await work(rows.slice(start, start + CHUNK))
}
