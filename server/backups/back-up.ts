import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { nowIso } from '../lib/clock.ts'
import { BackupError } from './backup-error.ts'
import { digesting, type Manifest, type TableSummary, writeBackupFile } from './backup-file.ts'
import { firstRow } from '../lib/rows.ts'
import { migrationsOf, sequencesOf, type Table, tablesOf } from './schema.ts'

const RESERVE_BYTES = 256 * 2 ** 20
const NO_DOJO = '00000000-0000-0000-0000-000000000000'
const CONNECT_TIMEOUT_MS = 10_000

// Makes PostgreSQL write values in its default format.
const SESSION = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'; set
    datestyle = 'ISO';
  set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'`

type Options = { databaseUrl: string; path: string; reserveBytes?: number }

const tatamiVersion = (): string =>
  (
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
  ).version

/** Writes all rows of all tables to a new file at `path`, from one snapshot, while the server runs.
 *  `databaseUrl` is a login that sees the rows of every dojo: the one that migrates, or a
 *  superuser. pg-boss tables are left out: its jobs are recreated from our own rows. Throws a
 *  BackupError with the reason. */
export async function backUp({
  databaseUrl,
  path,
  reserveBytes = RESERVE_BYTES,
}: Options): Promise<Manifest> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tatami backup',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SESSION)
    // Taken before the snapshot, so that a running migration finishes first and the next one
    // waits.
    await client.query(`select pg_advisory_lock_shared(${ADVISORY_LOCKS.backup})`)
    // Even a login with all roles is bound by the serving role's policy, which asks for a dojo.
    await client.query(
      `begin isolation level repeatable read read only; set local app.dojo_id = '${NO_DOJO}'`,
    )
    const tables = await tablesOf(client)
    const migrations = await migrationsOf(client)
    if (migrations.length === 0) throw new BackupError('The database has no tables of Tatami.')
    await seeAllRows(client, tables)
    const summaries: TableSummary[] = []
    const description = await describe(client)
    const manifest = (): Manifest => ({ format: 1, ...description, migrations, tables: summaries })
    await writeBackupFile(
      path,
      {
        tables: tables.map(({ name }) => name),
        openTable: (name) =>
          openRows(
            client,
            tables.find((table) => table.name === name)!,
            (summary) => summaries.push(summary),
          ),
        manifest,
      },
      reserveBytes,
    )
    await client.end()
    return manifest()
  } catch (error) {
    // Aborts without waiting for pending rows.
    client.connection.stream.destroy()
    throw error
  }
}

async function describe(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  )
  return {
    made_at: nowIso(),
    tatami_version: tatamiVersion(),
    postgres_version: firstRow(rows).version,
    sequences: await sequencesOf(client),
  }
}

/** Refuses tables with rows that a policy might hide. With row_security off PostgreSQL checks that
 *  for logins that may bypass policies; other logins need a policy that shows every row. */
async function seeAllRows(client: pg.Client, tables: Table[]) {
  const filteredTables = tables.filter(({ is_filtered }) => is_filtered).map(({ name }) => name)
  if (filteredTables.length > 0)
    throw new BackupError(
      `This login may not see every row of ${filteredTables.slice(0, 3).join(', ')}. ` +
        'Back up with the login that Tatami migrates with, once ' +
        'this version has started, or as a superuser.',
    )
  const { rowCount } = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and " +
      'row_security_active(oid) limit 1',
  )
  if (rowCount === 0) await client.query('set local row_security = off')
}

function openRows(
  client: pg.Client,
  { name, columns }: Table,
  onEnd: (summary: TableSummary) => void,
) {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const rows = client.query(
    copyTo(`copy public.${client.escapeIdentifier(name)} (${list}) to stdout`),
  )
  const digest = digesting()
  digest.once('end', () => onEnd({ name, columns, rows: rows.rowCount, sha256: digest.digest() }))
  return pipeline(rows, digest, () => {})
}
