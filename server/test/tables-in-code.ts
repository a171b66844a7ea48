import { globSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'

const SERVER = join(import.meta.dirname, '..')

/** What each table that the code describes is called in the database, by its name in the code. */
export async function readTables(): Promise<Record<string, string>> {
  const modules = await Promise.all(
    globSync('**/tables.ts', { cwd: SERVER }).map(
      (file) => import(join(SERVER, file)) as Promise<Record<string, unknown>>,
    ),
  )
  return Object.fromEntries(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) =>
        is(value, PgTable) ? [[name, getTableName(value)]] : [],
      ),
    ),
  )
}
