import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A condition with one parameter for any number of values: PostgreSQL takes 65,535 parameters at most, and many are slow. */
export const equalsAny = (column: PgColumn, values: string[]): SQL =>
  sql`${column} = any(${sql.param(values)})`

const CHUNK = 500

/** Does the work for some of the rows after the other, as many at once as one statement takes well; never for none. */
export async function inChunks<T>(
  rows: T[],
  work: (some: T[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK)
    await work(rows.slice(start, start + CHUNK))
}
