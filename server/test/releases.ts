/** Reads and writes the data that we saved from each release, for tests of upgrades. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { FORCE_ROW_LEVEL_SECURITY_SQL, MIGRATIONS } from '../db/migrate.ts'

const FOLDER = join(import.meta.dirname, 'releases')

type Row = Record<string, unknown>
export type Release = { version: string; migrations: number; tables: Record<string, Row[]> }

export const readReleases = (): Release[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Release)
    .toSorted((a, b) => a.migrations - b.migrations)

export const releaseBackupPath = (version: string): string => join(FOLDER, `${version}-backup.zip`)

export const saveRelease = (release: Release): void =>
  writeFileSync(join(FOLDER, `${release.version}.json`), `${JSON.stringify(release, null, 1)}\n`)

/** Returns a new folder with the first `count` migrations, followed by a migration for each of
 *  `statements`. The caller deletes the folder. */
export function copyMigrations(count: number, statements: string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(MIGRATIONS.migrationsFolder, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as {
    entries: { idx: number; when: number; tag: string; breakpoints: boolean }[]
  }
  const entries = journal.entries.slice(0, count)
  for (const [index, sql] of statements.entries()) {
    const tag = `9${index}_of_a_later_version`
    writeFileSync(join(folder, `${tag}.sql`), sql)
    entries.push({ ...entries.at(-1)!, idx: count + index, when: entries.at(-1)!.when + 1, tag })
  }
  writeFileSync(path, JSON.stringify({ ...journal, entries }))
  return folder
}

/** Runs the migrations of `folder`, and forces row-level security, as the server does at every
 *  start. `client` must be a superuser, and the roles must exist. */
export async function runMigrations(client: pg.Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.query(
    `grant create on database ${client.escapeIdentifier(rows[0]!.name)} to tatami_owner; ` +
      'grant usage, create on schema public to tatami_owner; set role tatami_owner',
  )
  await migrate(drizzle(client), { ...MIGRATIONS, migrationsFolder: folder })
  await client.query(FORCE_ROW_LEVEL_SECURITY_SQL)
  await client.query('reset role')
}

/** Inserts rows as a superuser, without triggers and foreign key checks. Skips rows whose primary
 *  key exists. */
export async function insertRows(client: pg.Client, tables: Release['tables']): Promise<void> {
  await client.query('set session_replication_role = replica')
  const { rows: keys } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
      where contype = 'p' and connamespace = 'public'::regnamespace`,
  )
  const primaryKeys = new Map(keys.map(({ table, name }) => [table, name]))
  for (const [table, rows] of Object.entries(tables))
    // Names the constraint, because PostgreSQL otherwise refuses tables with a deferrable key.
    await client.query(
      `insert into ${table} overriding system value
        select * from json_populate_recordset(null::${table}, $1)
        on conflict on constraint ${primaryKeys.get(table)} do nothing`,
      [JSON.stringify(rows)],
    )
  await client.query('set session_replication_role = default')
}

/** Reads all rows of all tables except `migrations`. `columns` limits the columns per table. */
export async function readAllRows(
  client: pg.Client,
  columns: Record<string, string[]> = {},
): Promise<Record<string, Row[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    'select relname::text as name from pg_class where relnamespace = ' +
      "'public'::regnamespace and relkind = 'r' and relname <> 'migrations' order by 1",
  )
  const rowsByTable: Record<string, Row[]> = {}
  for (const { name } of tables) {
    const columnList =
      columns[name]?.map((column) => client.escapeIdentifier(column)).join(', ') ?? '*'
    const { rows } = await client.query<{ row: Row }>(
      `select row_to_json(t) as row from (select ${columnList} from ${name}) t order by ` +
        'row_to_json(t)::text',
    )
    rowsByTable[name] = rows.map(({ row }) => row)
  }
  return rowsByTable
}

/** Leaves out the search text, whose format has changed since 1.0.0. Triggers write it. */
export const withoutSearchText = (rows: Record<string, unknown>[] = []) =>
  rows.map(({ search_text: _, ...row }) => row)
