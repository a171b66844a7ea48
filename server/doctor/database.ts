import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import pg from 'pg'
import { hasUnreleasedMigrations, readMigrationState, readMigrationTimes } from '../db/migrate.ts'
import { now } from '../lib/clock.ts'
import { judgeClocks } from '../db/trusted-clock.ts'
import { firstRow } from '../lib/rows.ts'
import {
  errorCodeOf,
  formatCount,
  type Finding,
  messageOf,
  ok,
  problem,
  warning,
} from './finding.ts'

const TIMEOUT_MS = 5_000
const OLDEST_VERSION = 15
/** One-time codes and signatures tolerate this difference. */
const CLOCK_TOLERANCE_SECONDS = 30

/** `migrations` are the times of the migrations that this version has. */
type Options = { isRunning: boolean; migrations?: number[] }

export async function checkDatabase(
  url: string,
  { isRunning, migrations = readMigrationTimes() }: Options,
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
    return [problem('Database', ...describeConnectionProblem(error, new URL(url)))]
  } finally {
    void client.end().catch(() => {})
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    is_standby: boolean
  }>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby`,
  )
  const { version, number, encoding, is_standby: isStandby } = firstRow(rows)
  if (number < OLDEST_VERSION * 10_000)
    return problem(
      'Database',
      `The database is PostgreSQL ${version}, but Tatami needs ${OLDEST_VERSION} or newer.`,
      'Upgrade PostgreSQL.',
    )
  if (encoding !== 'UTF8')
    return problem(
      'Database',
      `The database's encoding is ${encoding}, not UTF8.`,
      'Create a new database with "encoding utf8", and move the data there.',
    )
  if (isStandby)
    return problem(
      'Database',
      'DATABASE_URL points to a standby, which is read-only.',
      'Point it to the primary, or to a proxy that follows the primary.',
    )
  return ok('Database', `PostgreSQL ${version} is up.`)
}

async function checkMigrations(
  client: pg.Client,
  times: number[],
  isRunning: boolean,
): Promise<Finding> {
  const state = await readMigrationState(client)
  const { count, newest } = state
  if (count === 0)
    return ok('Migrations', 'The database is empty. Tatami creates its tables at the first start.')
  const missingCount = times.filter((time) => time > newest).length
  if (newest > Math.max(...times))
    return problem(
      'Migrations',
      `The database belongs to a newer version of Tatami: it has run ` +
        `${formatCount(count, 'migration')}, and this version knows ${times.length}.`,
      'Update to that version or a newer one ("git pull"). An older one must not use it.',
    )
  if (hasUnreleasedMigrations(state, times))
    return problem(
      'Migrations',
      'The tables come from an unreleased version of Tatami, and this version can only ' +
        'update those of a release.',
      'Follow "Update" in docs/OPERATIONS.md.',
    )
  if (missingCount > 0 && isRunning)
    return problem(
      'Migrations',
      'The running server is older than the files here, and it lacks ' +
        `${formatCount(missingCount, 'migration')}.`,
      'Restart the server. It runs the migrations at the start.',
    )
  if (missingCount > 0)
    return ok('Migrations', `The next start will run ${formatCount(missingCount, 'migration')}.`)
  return ok('Migrations', `All ${times.length} migrations have run.`)
}

async function checkDatabaseClock(client: pg.Client): Promise<Finding> {
  const sentMs = now().getTime()
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  // The database reads its clock about halfway between the request and the response.
  const middleMs = (sentMs + now().getTime()) / 2
  return compareClocks('Clock', 'the database', firstRow(rows).ms - middleMs)
}

/** Checks the scheduled jobs, which pause while the clock is not trusted. */
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
  return verdict.trusted ? [] : [createHousekeepingFinding(verdict)]
}

function createHousekeepingFinding({ reason, byMs }: { reason: string; byMs: number }): Finding {
  const effect = 'Until then, nothing is deleted, charged or backed up, and no reminders are sent.'
  if (reason === 'differs')
    return problem(
      'Housekeeping',
      `Scheduled jobs are paused until this machine and the database agree on the time. ${effect}`,
      'Synchronize both clocks with a time server. The jobs resume automatically.',
    )
  return problem(
    'Housekeeping',
    'Scheduled jobs are paused, because the clock is ' +
      `${formatCount(Math.floor(byMs / DAY_MS), 'day')} ahead of the last check. ${effect}`,
    'If Tatami was off that long, run "npm run confirm-clock". Otherwise correct the clock, ' +
      'and the jobs resume automatically.',
  )
}

export function compareClocks(check: string, otherClock: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (seconds < CLOCK_TOLERANCE_SECONDS)
    return ok(check, `This machine's clock agrees with the clock of ${otherClock}.`)
  return problem(
    check,
    `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'behind' : 'ahead of'} ` +
      `the clock of ${otherClock}.`,
    'Synchronize the clock: run "timedatectl set-ntp true", or install chrony.',
  )
}

/** Describes why the database could not be reached, without revealing its password. */
function describeConnectionProblem(
  error: unknown,
  { hostname, port, username, pathname, searchParams }: URL,
): [says: string, remedy: string] {
  const address = searchParams.get('host') ?? `${hostname}:${port || 5432}`
  const code = errorCodeOf(error)
  if (['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return [`No database answers at ${address}.`, 'Start PostgreSQL, or correct DATABASE_URL.']
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return [`The host name ${hostname} cannot be resolved.`, 'Correct DATABASE_URL or the DNS.']
  if (code.startsWith('28'))
    return [
      `The database at ${address} rejects the user ${username} or the password.`,
      'Correct DATABASE_URL.',
    ]
  if (code === '3D000')
    return [
      `There is no database "${pathname.slice(1)}" at ${address}.`,
      'Create it, or correct DATABASE_URL.',
    ]
  if (code === '53300')
    return [
      `The database at ${address} has no free connections.`,
      'Raise max_connections, or put a pooler in between (docs/OPERATIONS.md).',
    ]
  if (code.startsWith('57P0'))
    return [`The database at ${address} is starting or stopping.`, 'Try again in a minute.']
  if (code === 'EACCES')
    return [
      `You have no permission to connect to the database at ${address}.`,
      'Run the doctor as root or as the user that runs Tatami.',
    ]
  return [
    `The database at ${address} cannot be queried: ${messageOf(error)}`,
    'See the log of PostgreSQL.',
  ]
}

type EmbeddedDatabase = {
  dataDir: string
  state: 'none' | 'stopped' | 'running' | 'unreadable'
  url?: string | undefined
}

export async function checkEmbeddedDatabase(
  { dataDir, state, url }: EmbeddedDatabase,
  options: Options,
): Promise<Finding[]> {
  if (state === 'running' && url) return checkDatabase(url, options)
  if (state === 'unreadable')
    return [
      warning(
        'Database',
        `You have no permission to read ${dataDir}.`,
        'Run the doctor as root or as the user that runs Tatami.',
      ),
    ]
  if (options.isRunning)
    return [
      problem(
        'Database',
        `Tatami is running, but the database in ${dataDir} is not.`,
        'Tatami restarts the database automatically. If it does not, restart Tatami.',
      ),
    ]
  return [
    ok(
      'Database',
      state === 'none'
        ? `There is no database in ${dataDir} yet. The first start creates it.`
        : 'The database is stopped. It starts with Tatami.',
    ),
  ]
}
