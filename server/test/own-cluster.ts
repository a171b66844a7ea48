import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findOrCreateSystemUser, runAs } from '@tatami/postgres/system-user'
import { startEmbeddedDatabase } from '../db/embedded-database.ts'

const IN_HASTE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
type Started = { superUrl: string; stop: () => Promise<unknown> }

/** A PostgreSQL of this run's own behind a socket: the embedded one, or the one whose programs are in the folder `TEST_POSTGRES_BIN`. */
export async function startOwnCluster(): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-cluster-'))
  const leaveNothing = () => abandon(dataDir)
  process.once('exit', leaveNothing)
  const { TEST_POSTGRES_BIN } = process.env
  const { superUrl, stop } = await (TEST_POSTGRES_BIN ? startInstalled(TEST_POSTGRES_BIN, dataDir) : startEmbedded(dataDir))
  return {
    superUrl,
    stop: async () => {
      await stop()
      process.off('exit', leaveNothing)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startEmbedded(dataDir: string): Promise<Started> {
  const { logins, stop } = await startEmbeddedDatabase({ dataDir, settings: IN_HASTE })
  return { superUrl: logins.postgres.url, stop }
}

async function startInstalled(bin: string, dataDir: string): Promise<Started> {
  const user = findOrCreateSystemUser('tatami')
  const [cluster, sockets] = [join(dataDir, 'postgres'), join(dataDir, 'socket')]
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
  const settings = Object.entries({ ...IN_HASTE, listen_addresses: '', unix_socket_directories: sockets }).map(
    ([name, value]) => `-c ${name}='${value}'`,
  )
  await run('pg_ctl', 'start', '--wait', '--pgdata', cluster, '--log', join(dataDir, 'log'), '--options', settings.join(' '))
  const superUrl = `postgresql://postgres@localhost/tatami?host=${encodeURIComponent(sockets)}`
  await ask(superUrl.replace('/tatami', '/postgres'), 'create database tatami')
  return { superUrl, stop: () => run('pg_ctl', 'stop', '--wait', '--mode', 'fast', '--pgdata', cluster) }
}

export async function ask(url: string, ...queries: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const query of queries) await client.query(query)
  } finally {
    await client.end()
  }
}

/** Vitest leaves at once when it is interrupted; the PostgreSQL, which has a session of its own, would stay. */
function abandon(dataDir: string) {
  try {
    const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    process.kill(postmaster, 'SIGQUIT')
    for (let tries = 0; tries < 40 && process.kill(postmaster, 0); tries += 1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  } catch {
    /* It is not running, or no longer. */
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
