import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import pg from 'pg'
import { hasUnreleasedMigrations, readMigrationState, migrationTimes } from '../db/migrate.ts'
import { now } from '../lib/clock.ts'
import { judgeClocks } from '../db/trusted-clock.ts'
import { firstRow } from '../lib/rows.ts'
import { codeOf, type Finding, messageOf, ok, problem, warning } from './finding.ts'

const TIMEOUT_MS = 5_000
const OLDEST_VERSION = 15
/** One-time codes and signatures tolerate this difference. */
const CLOCK_TOLERANCE_SECONDS = 30

/** `isRunning` says whether the server runs. `migrations` defaults to those of this version. */
type Options = { isRunning: boolean; migrations?: number[] }

/** Checks whether the database at `url` answers, its version, migrations and clock. */
export async function checkDatabase(
  url: string,
  { isRunning, migrations = migrationTimes() }: Options,
): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return [
      await checkVersion(client),
      await checkMigrations(client, migrations, isRunning),
      await checkDatabaseClock(client),
      ...(await checkHousekeeping(client)),
    ]
  } catch (error) {
    return [problem('Database', ...connectionProblem(error, new URL(url)))]
  } finally {
    void client.end().catch(() => {})
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    reads: boolean
  }>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as reads`,
  )
  const { version, number, encoding, reads } = firstRow(rows)
  if (number < OLDEST_VERSION * 10_000)
    return problem(
      'Database',
      `The database is PostgreSQL ${version}, and Tatami needs ${OLDEST_VERSION} or newer.`,
      'Upgrade PostgreSQL.',
    )
  if (encoding !== 'UTF8')
    return problem(
      'Database',
      `The database's encoding is ${encoding}, not UTF8.`,
      'Make it anew with "encoding utf8".',
    )
  if (reads)
    return problem(
      'Database',
      'DATABASE_URL leads to a standby, which only reads.',
      'Name the primary, or a proxy that follows it.',
    )
  return ok('Database', `PostgreSQL ${version} answers.`)
}

async function checkMigrations(
  client: pg.Client,
  times: number[],
  isRunning: boolean,
): Promise<Finding> {
  const run = await readMigrationState(client)
  const { count, newest } = run
  if (count === 0) return ok('Migrations', 'The database is empty; the first start fills it.')
  const missingCount = times.filter((time) => time > newest).length
  if (newest > Math.max(...times))
    return problem(
      'Migrations',
      `The database is of a newer version of Tatami than this one: it has ${count} ` +
        `migrations, and ${times.length} are known here.`,
      'Run that version or a newer one ("git pull"); an older one must not write there.',
    )
  if (hasUnreleasedMigrations(run, times))
    return problem(
      'Migrations',
      'A version of Tatami that was never released has changed the tables, and this ' +
        'version only continues from a release.',
      'Do what "Update" in docs/OPERATIONS.md says.',
    )
  if (missingCount > 0 && isRunning)
    return problem(
      'Migrations',
      `The server that runs is older than this copy of Tatami: ${missingCount} ` +
        'migrations are not done.',
      'Restart it: the start migrates.',
    )
  if (missingCount > 0)
    return ok(
      'Migrations',
      `${missingCount} migrations are not done yet; the next start does them.`,
    )
  return ok('Migrations', `All ${times.length} are done.`)
}

async function checkDatabaseClock(client: pg.Client): Promise<Finding> {
  const askedAt = now().getTime()
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  return clockFinding('Clock', 'the database', firstRow(rows).ms - (askedAt + now().getTime()) / 2)
}

async function checkHousekeeping(client: pg.Client): Promise<Finding[]> {
  const column = await client.query(
    "select from information_schema.columns where table_name = 'system_config' and " +
      "column_name = 'clock_seen_at'",
  )
  if (column.rowCount === 0) return []
  const { rows } = await client.query<{ database: Date; last_seen: Date | null }>(
    'select clock_timestamp() as database, clock_seen_at as last_seen from public.system_config',
  )
  const verdict = judgeClocks({
    database: firstRow(rows).database.getTime(),
    server: now().getTime(),
    lastSeen: firstRow(rows).last_seen?.getTime() ?? null,
  })
  return verdict.trusted ? [] : [housekeepingFinding(verdict)]
}

function housekeepingFinding({ reason, byMs }: { reason: string; byMs: number }): Finding {
  const waits = 'Until that is settled nothing is deleted, charged, ended or reminded of.'
  if (reason === 'differs')
    return problem(
      'Housekeeping',
      `It waits, because this machine and the database have different times. ${waits}`,
      'Let both clocks be set by the network; it goes on by itself.',
    )
  return problem(
    'Housekeeping',
    `It waits, because ${Math.floor(byMs / DAY_MS)} days have passed since the clock was ` +
      `last looked at. ${waits}`,
    'If Tatami was off for so long: "npm run confirm-clock". Else correct the clock; it ' +
      'goes on by itself.',
  )
}

export function clockFinding(check: string, otherClock: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds < CLOCK_TOLERANCE_SECONDS)
    return ok(check, `This machine's clock agrees with that of ${otherClock}.`)
  return problem(
    check,
    `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'behind' : 'ahead of'} ` +
      `that of ${otherClock}.`,
    'Let the clock be set by the network: "timedatectl set-ntp true", or install chrony.',
  )
}

/** Says why the database could not be reached, without its password. */
function connectionProblem(
  error: unknown,
  { hostname, port, username, pathname, searchParams }: URL,
): [says: string, remedy: string] {
  const address = searchParams.get('host') ?? `${hostname}:${port || 5432}`
  const code = codeOf(error)
  if (['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return [
      `Nothing answers as a database at ${address}.`,
      'Start PostgreSQL, or correct DATABASE_URL.',
    ]
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return [`The name ${hostname} has no address.`, 'Correct DATABASE_URL, or the DNS.']
  if (code.startsWith('28'))
    return [
      `The database at ${address} does not accept ${username} with its password.`,
      'Correct DATABASE_URL.',
    ]
  if (code === '3D000')
    return [
      `There is no database "${pathname.slice(1)}" at ${address}.`,
      'Create it, or correct DATABASE_URL.',
    ]
  if (code === '53300')
    return [
      `The database at ${address} has no connection left.`,
      'Raise max_connections, or put a pooler in between (docs/OPERATIONS.md).',
    ]
  if (code.startsWith('57P0'))
    return [`The database at ${address} is starting or stopping.`, 'Ask again in a minute.']
  if (code === 'EACCES')
    return [
      `This user may not reach the database at ${address}.`,
      'Run this as root or as the user who runs Tatami.',
    ]
  return [
    `The database at ${address} cannot be asked: ${messageOf(error)}`,
    'The log of PostgreSQL says more.',
  ]
}

type EmbeddedFolder = {
  dataDir: string
  state: 'none' | 'stopped' | 'running' | 'unreadable'
  url?: string | undefined
}

/** The embedded database stops and starts with Tatami. */
export async function checkEmbeddedDatabase(
  { dataDir, state, url }: EmbeddedFolder,
  options: Options,
): Promise<Finding[]> {
  if (state === 'running' && url) return checkDatabase(url, options)
  if (state === 'unreadable')
    return [
      warning(
        'Database',
        `This user may not look into ${dataDir}.`,
        'Run this as root or as the user who runs Tatami.',
      ),
    ]
  if (options.isRunning)
    return [
      problem(
        'Database',
        `Tatami runs, and the database in ${dataDir} does not.`,
        'Tatami starts it again by itself; if not, restart it.',
      ),
    ]
  return [
    ok(
      'Database',
      state === 'none'
        ? `There is none in ${dataDir} yet; the first start makes it.`
        : 'It is stopped, and starts with Tatami.',
    ),
  ]
}
