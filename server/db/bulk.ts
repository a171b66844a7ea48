import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A condition with one parameter for any number of values: PostgreSQL takes 65,535 parameters at most, and many are slow. */
export const equalsAny = (column: PgColumn, values: string[]): SQL => sql`${column} = any(${sql.param(values)})`
