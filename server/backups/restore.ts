import { pipeline } from 'node:stream/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { becomeOwner, type DatabaseRules, MIGRATIONS, prepareDatabase } from '../db/migrate.ts'
import { isUnavailable } from '../db/database-errors.ts'
import { now } from '../lib/clock.ts'
import { BackupError } from './backup-error.ts'
import { createHashingStream, type Manifest, openBackup, type OpenBackup } from './backup-file.ts'
import { firstRow } from '../lib/rows.ts'
import { isDatabaseEmpty, type Table, readTables, withoutConstraints } from './schema.ts'

const CONNECT_TIMEOUT_MS = 10_000

type RestoreOptions = { databaseUrl: string; path: string; migrationsFolder?: string }
/** `waitingTexts` counts texts that may have been sent since the backup. `hasAuditLog` is false if
 *  the log is empty. */
type RestoreResult = {
  manifest: Manifest
  waitingTexts: number
  hasAuditLog: boolean
  isFromFuture: boolean
}
type Migration = ReturnType<typeof readMigrationFiles>[number]

/** Creates the tables of the backup's version in an empty database, loads the rows and migrates. */
export async function restore(
  { databaseUrl, path, migrationsFolder }: RestoreOptions,
  rules: DatabaseRules,
): Promise<RestoreResult> {
  const backup = await openBackup(path)
  try {
    const migrations = readMigrationFiles({
      ...MIGRATIONS,
      ...(migrationsFolder && { migrationsFolder }),
    })
    const splitResult = splitMigrations(backup.manifest, migrations, path)
    const waitingTexts = await inTransaction(databaseUrl, async (client) => {
      await loadBackup(client, backup, splitResult)
      const { rows } = await client.query<{ texts: number }>(
        "select count(*)::int as texts from messages where state in ('waiting', 'queued')",
      )
      return firstRow(rows).texts
    })
    await prepareDatabase({ databaseUrl }, rules, { migrationsFolder })
    const { manifest } = backup
    return {
      manifest,
      waitingTexts,
      hasAuditLog: hasAuditLog(manifest),
      isFromFuture: isFromFuture(manifest),
    }
  } finally {
    backup.close()
  }
}

/** The clock of the machine that made the backup may be a little ahead. */
const CLOCK_TOLERANCE_MS = 10 * 60_000

const isFromFuture = ({ made_at }: Manifest): boolean =>
  Date.parse(made_at) > now().getTime() + CLOCK_TOLERANCE_MS

function splitMigrations(
  { migrations, tatami_version }: Manifest,
  allMigrations: Migration[],
  path: string,
) {
  const knownCount = migrations.filter((hash, index) => allMigrations[index]?.hash === hash).length
  if (knownCount < migrations.length)
    throw new BackupError(
      `${path} was made by Tatami ${tatami_version}, whose tables this version does not ` +
        'know. Restore it with that version or a later one.',
    )
  return {
    backedUpMigrations: allMigrations.slice(0, knownCount),
    newMigrations: allMigrations.slice(knownCount),
  }
}

async function inTransaction<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tatami restore',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(
      'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; begin',
    )
    const result = await work(client)
    await client.query('commit')
    await client.query('analyze')
    return result
  } finally {
    // This also rolls back an open transaction.
    await client.end()
  }
}

async function loadBackup(
  client: pg.Client,
  backup: OpenBackup,
  {
    backedUpMigrations,
    newMigrations,
  }: { backedUpMigrations: Migration[]; newMigrations: Migration[] },
) {
  await client.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`)
  if (!(await isDatabaseEmpty(client)))
    throw new BackupError(
      'The database is not empty, and a backup is only restored into an empty one. ' +
        'Nothing was changed.',
    )
  await becomeOwner(client)
  await client.query(
    'create table migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  await migrate(client, backedUpMigrations)
  const tables = await readTables(client)
  requireAllTables(backup.manifest, tables)
  await withoutConstraints(client, tables, () => loadRows(client, backup)).catch(throwDamagedError)
  await migrate(client, newMigrations)
  // The clock check compares the time with that of its last run, and a backup may be old.
  await client.query('update system_config set clock_seen_at = null')
  // An owner has to confirm before this server charges anybody, because the old server may still
  // run.
  await client.query("update stripe_accounts set server_identity = 'restored'")
}

/** Tatami never writes rows that do not fit the tables of their version, so the file is damaged. */
function throwDamagedError(error: unknown): never {
  if (error instanceof BackupError || isUnavailable(error)) throw error
  throw new BackupError(
    'The backup is damaged: its rows do not fit the tables of its version. Nothing was ' +
      'changed. Use another backup.',
    { cause: error },
  )
}

async function loadRows(client: pg.Client, backup: OpenBackup) {
  for (const table of backup.manifest.tables) await loadTable(client, backup, table)
  for (const { name, last_value } of backup.manifest.sequences)
    if (last_value !== null)
      await client.query('select setval($1::regclass, $2)', [
        `public.${client.escapeIdentifier(name)}`,
        last_value,
      ])
}

/** Every backup has all tables of its version. A missing table would be restored as empty. */
function requireAllTables(manifest: Manifest, tables: Table[]) {
  const names = new Set(manifest.tables.map(({ name }) => name))
  const missingTables = tables.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  if (missingTables.length > 0)
    throw new BackupError(
      'The backup is incomplete: it lacks the ' +
        `${missingTables.length === 1 ? 'table' : 'tables'} ${missingTables.join(', ')}, ` +
        'which every backup has. Nothing was changed. Use another backup.',
    )
  const knownTables = new Set(tables.map(({ name }) => name))
  const unknownTable = manifest.tables.find(({ name }) => !knownTables.has(name))
  const fault = unknownTable
    ? `a table ${JSON.stringify(unknownTable.name)} that Tatami does not have`
    : 'a table twice'
  if (unknownTable || names.size < manifest.tables.length)
    throw new BackupError(`The backup names ${fault}. Nothing was changed. Use another backup.`)
}

/** Only a new server has an empty audit log. */
function hasAuditLog({ tables }: Manifest): boolean {
  const countRows = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
  return countRows('audit_log') > 0 || (countRows('accounts') === 0 && countRows('students') === 0)
}

async function migrate(client: pg.Client, migrations: Migration[]) {
  for (const { sql, hash, folderMillis } of migrations) {
    for (const statement of sql) await client.query(statement)
    await client.query('insert into migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  }
}

async function loadTable(
  client: pg.Client,
  { openTable }: OpenBackup,
  { name, columns, rows, sha256 }: Manifest['tables'][number],
) {
  const columnList = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const digest = createHashingStream()
  // Open the source before the copy begins. If it failed later, the copy would wait forever.
  const source = await openTable(name)
  const target = client.query(
    copyFrom(`copy public.${client.escapeIdentifier(name)} (${columnList}) from stdin`),
  )
  // After a failure, the stream emits another error when the connection ends.
  target.on('error', () => {})
  await pipeline(source, digest, target)
  if (target.rowCount !== rows || digest.digest() !== sha256)
    throw new BackupError(`The rows of ${name} differ from those that were backed up.`)
}
