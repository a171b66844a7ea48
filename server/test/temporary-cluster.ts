import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findOrCreateSystemUser, runAs } from '@tatami/postgres/system-user'
import { startEmbeddedDatabase } from '../db/embedded-database.ts'

/** Test data does not have to survive a crash. Without autovacuum, query plans do not depend on
 *  when statistics were gathered. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
}
const EXIT_POLL_MS = 50
const MAX_EXIT_POLLS = 40
type TemporaryCluster = { superuserUrl: string; stop: () => Promise<unknown> }

/** Starts a PostgreSQL server for this test run. Uses the programs in `installedBin`, or else the
 *  embedded PostgreSQL. */
export async function startTemporaryCluster(
  installedBin = process.env.TEST_POSTGRES_BIN,
): Promise<TemporaryCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-cluster-'))
  const cleanUp = () => killAndRemove(dataDir)
  process.once('exit', cleanUp)
  const { superuserUrl, stop } = await (installedBin
    ? startInstalled(installedBin, dataDir)
    : startEmbedded(dataDir))
  return {
    superuserUrl,
    stop: async () => {
      await stop()
      process.off('exit', cleanUp)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startEmbedded(dataDir: string): Promise<TemporaryCluster> {
  const { logins, stop } = await startEmbeddedDatabase({ dataDir, settings: TEST_SETTINGS })
  return { superuserUrl: logins.postgres.url, stop }
}

async function startInstalled(bin: string, dataDir: string): Promise<TemporaryCluster> {
  const user = findOrCreateSystemUser('tatami')
  const cluster = join(dataDir, 'postgres')
  const sockets = join(dataDir, 'socket')
  mkdirSync(sockets, { mode: 0o700 })
  if (user) for (const folder of [dataDir, sockets]) chownSync(folder, user.uid, user.gid)
  const run = async (program: string, ...args: string[]) => {
    const { ok, output } = await runAs(user, join(bin, program), args)
    if (!ok) throw new Error(`${program} failed: ${output}`)
  }
  await run(
    'initdb',
    '--pgdata',
    cluster,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--no-sync',
  )
  const settings = Object.entries({
    ...TEST_SETTINGS,
    listen_addresses: '',
    unix_socket_directories: sockets,
  }).map(([name, value]) => `-c ${name}='${value}'`)
  await run(
    'pg_ctl',
    'start',
    '--wait',
    '--pgdata',
    cluster,
    '--log',
    join(dataDir, 'log'),
    '--options',
    settings.join(' '),
  )
  const superuserUrl = `postgresql://postgres@localhost/tatami?host=${encodeURIComponent(sockets)}`
  await runQueries(superuserUrl.replace('/tatami', '/postgres'), 'create database tatami')
  return {
    superuserUrl,
    stop: () => run('pg_ctl', 'stop', '--wait', '--mode', 'fast', '--pgdata', cluster),
  }
}

export async function runQueries(url: string, ...queries: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const query of queries) await client.query(query)
  } finally {
    await client.end()
  }
}

/** Without this, PostgreSQL would keep running if Vitest is interrupted. Waits synchronously,
 *  because the event loop has stopped when the process exits. */
function killAndRemove(dataDir: string) {
  try {
    const postmasterPid = Number.parseInt(
      readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'),
      10,
    )
    process.kill(postmasterPid, 'SIGQUIT')
    for (let poll = 0; poll < MAX_EXIT_POLLS && process.kill(postmasterPid, 0); poll += 1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_POLL_MS)
  } catch {
    // PostgreSQL has ended.
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

const OBJECT_IN_USE_ERROR = '55006'

/** Ends the connections of a database and drops it. Tries again if a connection has not ended yet.
 *  Does not use `with (force)`, which needs a superuser while autovacuum runs. */
export async function dropDatabase(
  adminUrl: string,
  name: string,
  remainingAttempts = 5,
): Promise<void> {
  const endConnections =
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and ` +
    `backend_type = 'client backend'`
  try {
    await runQueries(adminUrl, endConnections, `drop database ${name}`)
  } catch (error) {
    const isInUse = (error as { code?: string }).code === OBJECT_IN_USE_ERROR
    if (!isInUse || remainingAttempts === 1) throw error
    await dropDatabase(adminUrl, name, remainingAttempts - 1)
  }
}
