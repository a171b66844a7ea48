import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { nowIso } from '../lib/clock.ts'
import { BackupError } from './backup-error.ts'
import {
  createHashingStream,
  type Manifest,
  type TableSummary,
  writeBackupFile,
} from './backup-file.ts'
import { firstRow } from '../lib/rows.ts'
import { readMigrations, readSequences, type Table, readTables } from './schema.ts'

const FREE_SPACE_BYTES = 256 * 2 ** 20
const NO_DOJO_ID = '00000000-0000-0000-0000-000000000000'
const CONNECT_TIMEOUT_MS = 10_000

// Makes PostgreSQL write values in its default format, no matter how the server is configured.
const SESSION_SETTINGS = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'`

type BackupOptions = { databaseUrl: string; path: string; reserveBytes?: number }

const readTatamiVersion = (): string =>
  (
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
  ).version

/**
 * Backs up all rows as of one moment, even while the server runs. The login must see the rows of
 * all dojos. Leaves out the tables of pg-boss, because our rows recreate its jobs.
 */
export async function backUp({
  databaseUrl,
  path,
  reserveBytes = FREE_SPACE_BYTES,
}: BackupOptions): Promise<Manifest> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tatami backup',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SESSION_SETTINGS)
    // The lock comes before the snapshot, so that a running migration ends and the next one waits.
    await client.query(`select pg_advisory_lock_shared(${ADVISORY_LOCKS.backup})`)
    // The policy of the app role needs a dojo id, and it applies even to a login with all roles.
    await client.query(
      `begin isolation level repeatable read read only; set local app.dojo_id = '${NO_DOJO_ID}'`,
    )
    const tables = await readTables(client)
    const migrations = await readMigrations(client)
    if (migrations.length === 0) throw new BackupError('The database has no tables of Tatami.')
    await requireAllRowsVisible(client, tables)
    const summaries: TableSummary[] = []
    const description = await describeServer(client)
    const createManifest = (): Manifest => ({
      format: 1,
      ...description,
      migrations,
      tables: summaries,
    })
    await writeBackupFile(
      path,
      {
        tables: tables.map(({ name }) => name),
        openTable: (name) =>
          openTableRows(
            client,
            tables.find((table) => table.name === name)!,
            (summary) => summaries.push(summary),
          ),
        createManifest,
      },
      reserveBytes,
    )
    await client.end()
    return createManifest()
  } catch (error) {
    // Closes the connection without waiting for the remaining rows.
    client.connection.stream.destroy()
    throw error
  }
}

async function describeServer(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  )
  return {
    made_at: nowIso(),
    tatami_version: readTatamiVersion(),
    postgres_version: firstRow(rows).version,
    sequences: await readSequences(client),
  }
}

/** A login that bypasses policies turns row_security off, so PostgreSQL refuses to hide rows. */
async function requireAllRowsVisible(client: pg.Client, tables: Table[]) {
  const filteredTables = tables.filter(({ is_filtered }) => is_filtered).map(({ name }) => name)
  if (filteredTables.length > 0)
    throw new BackupError(
      `This login may not see every row of ${filteredTables.slice(0, 3).join(', ')}. ` +
        'Start this version once, then back up with the login that migrates, or as a superuser.',
    )
  const { rowCount } = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and " +
      'row_security_active(oid) limit 1',
  )
  if (rowCount === 0) await client.query('set local row_security = off')
}

function openTableRows(
  client: pg.Client,
  { name, columns }: Table,
  onEnd: (summary: TableSummary) => void,
) {
  const columnList = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const rows = client.query(
    copyTo(`copy public.${client.escapeIdentifier(name)} (${columnList}) to stdout`),
  )
  const digest = createHashingStream()
  digest.once('end', () => onEnd({ name, columns, rows: rows.rowCount, sha256: digest.digest() }))
  return pipeline(rows, digest, () => {})
}
