/** Runs a cluster on this machine: `node deploy/cluster/cluster.ts start|stop|status`. The README
 *  describes it. */
import { readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  end,
  endProcess,
  makeFolder,
  readLastLogLine,
  findRunningPid,
  findPostgres,
  start,
  startedNames,
  writePrivately,
} from './processes.ts'
import {
  databaseUrls,
  etcdApi,
  FOLDER,
  HOST,
  NODES,
  passwords,
  PORTS,
  SERVERS,
} from './settings.ts'
import { findPostgresBin, missingClusterPackages, requireProgram } from '../../scripts/programs.ts'

const MAX_START_MS = 120_000
const POLL_MS = 200
const MAX_STOP_MS = 20_000

const nodeFolder = (node: number) => join(FOLDER, `node${node}`)
export const dataFolder = (node: number): string => join(nodeFolder(node), 'postgres')
export const TATAMI_URL = `http://${HOST}:${PORTS.http}`

const fillTemplate = (name: string, values: Record<string, string | number>) =>
  readFileSync(join(import.meta.dirname, 'config', name), 'utf8').replaceAll(
    /\$\{(\w+)\}/g,
    (_, key: string) => {
      if (values[key] === undefined) throw new Error(`${name} needs a value for ${key}`)
      return String(values[key])
    },
  )

function startEtcd(node: number) {
  const initialCluster = NODES.map(
    (nodeNumber) => `etcd${nodeNumber}=http://${HOST}:${PORTS.etcdPeer(nodeNumber)}`,
  ).join(',')
  const client = `http://${HOST}:${PORTS.etcd(node)}`
  const peer = `http://${HOST}:${PORTS.etcdPeer(node)}`
  start(`etcd${node}`, {
    program: requireProgram('etcd'),
    args: [
      ...['--name', `etcd${node}`, '--data-dir', makeFolder(`node${node}`, 'etcd')],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', initialCluster, '--initial-cluster-state', 'new'],
      // The heartbeat is longer than the default of 100 ms, because the disk may be busy.
      ...['--heartbeat-interval', '150', '--election-timeout', '1500', '--logger', 'zap'],
      ...(etcdApi() === 'etcd' ? ['--enable-v2'] : []),
    ],
    asPostgres: true,
  })
}

function startPatroni(node: number): void {
  const { postgres, replicator, rewinder } = passwords()
  const folder = makeFolder(`node${node}`)
  const file = join(folder, 'patroni.yml')
  writePrivately(
    file,
    fillTemplate('patroni.yml', {
      name: `node${node}`,
      folder,
      host: HOST,
      network: `${HOST}/32`,
      restPort: PORTS.patroni(node),
      postgresPort: PORTS.postgres(node),
      postgresBin: findPostgresBin()!,
      etcdApi: etcdApi(),
      etcdHosts: NODES.map((nodeNumber) => `${HOST}:${PORTS.etcd(nodeNumber)}`).join(','),
      postgresPassword: postgres,
      replicatorPassword: replicator,
      rewinderPassword: rewinder,
    }),
  )
  start(`patroni${node}`, { program: requireProgram('patroni'), args: [file], asPostgres: true })
}

export function restartNode(node: number): void {
  startEtcd(node)
  startPatroni(node)
}

function startHaproxy() {
  const folder = makeFolder('haproxy')
  const file = join(folder, 'haproxy.cfg')
  const servers = SERVERS.map(
    (server) => `    server tatami${server} ${HOST}:${PORTS.server(server)} check`,
  ).join('\n')
  const nodes = NODES.map(
    (node) =>
      `    server node${node} ${HOST}:${PORTS.postgres(node)} check port ${PORTS.patroni(node)}`,
  ).join('\n')
  writePrivately(
    file,
    fillTemplate('haproxy.cfg', {
      host: HOST,
      httpPort: PORTS.http,
      primaryPort: PORTS.primary,
      standbyPort: PORTS.standbys,
      readyServers: servers,
      aliveServers: servers,
      nodes,
    }),
  )
  start('haproxy', {
    program: requireProgram('haproxy'),
    args: ['-db', '-f', file],
    asPostgres: true,
  })
}

function startPgbouncer() {
  const folder = makeFolder('pgbouncer')
  const file = join(folder, 'pgbouncer.ini')
  writePrivately(join(folder, 'users.txt'), `"tatami_app" "${passwords().app}"\n`)
  writePrivately(
    file,
    fillTemplate('pgbouncer.ini', {
      folder,
      host: HOST,
      primaryPort: PORTS.primary,
      pgbouncerPort: PORTS.pgbouncer,
    }),
  )
  start('pgbouncer', { program: requireProgram('pgbouncer'), args: [file], asPostgres: true })
}

function startServer(server: number, settings: Record<string, string>) {
  const { pooled, primary, standby } = databaseUrls()
  const port = String(PORTS.server(server))
  start(`tatami${server}`, {
    program: process.execPath,
    args: ['server/main.ts'],
    env: {
      LOG_LEVEL: 'warn',
      ...process.env,
      ...settings,
      ENV_FILE: devNull,
      npm_lifecycle_event: '',
      HOST,
      PORT: port,
      PUBLIC_URL: TATAMI_URL,
      TRUST_PROXY: '1',
      DATABASE_URL: primary,
      APP_DATABASE_URL: pooled,
      READ_DATABASE_URL: standby,
    },
    asPostgres: false,
  })
}

async function runAsSuperuser<Result>(
  database: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrls().superuser(database),
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

export const queryPrimary = async <Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> =>
  runAsSuperuser('tatami', async (client) => (await client.query<Row>(text, values)).rows)

async function createDatabase() {
  const { tatami, app } = passwords()
  await runAsSuperuser('postgres', async (client) => {
    const { rows } = await client.query("select from pg_database where datname = 'tatami'")
    if (rows.length > 0) return
    await client.query(
      'drop role if exists tatami_app, tatami_owner, tatami_overseer, tatami_own_classes, tatami',
    )
    await client.query(fillTemplate('roles.sql', { tatamiPassword: tatami, appPassword: app }))
    await client.query('create database tatami owner tatami')
  })
  await runAsSuperuser('tatami', (client) => client.query(fillTemplate('grants.sql', {})))
}

/** Thrown to stop waiting for something that can no longer happen. */
class FutileWaitError extends Error {}

function rethrowFutileWait(error: unknown): false {
  if (error instanceof FutileWaitError) throw error
  return false
}

export async function waitUntil(
  subject: string,
  isTrue: () => Promise<boolean>,
  withinMs = MAX_START_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isTrue().catch(rethrowFutileWait))) {
    if (performance.now() > deadline)
      throw new Error(
        `${subject}: not ready after ${withinMs / 1000} s. See the logs in ${join(FOLDER, 'logs')}.`,
      )
    await sleep(POLL_MS)
  }
}

const respondsOk = async (url: string) =>
  (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok

type Member = { name: string; role: string; state: string; timeline?: number }

export async function listMembers(): Promise<Member[]> {
  const replies = NODES.map(async (node) => {
    const response = await fetch(`http://${HOST}:${PORTS.patroni(node)}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    })
    return ((await response.json()) as { members: Member[] }).members
  })
  return Promise.any(replies).catch(() => [])
}

/** True if all nodes run and follow the same leader, and one of them is its synchronous standby. */
export async function isComplete(): Promise<boolean> {
  const allMembers = await listMembers()
  const roles = allMembers.filter(({ state }) => state === 'running').map(({ role }) => role)
  const isFollowing = new Set(allMembers.map(({ timeline }) => timeline)).size === 1
  return (
    isFollowing &&
    roles.length === NODES.length &&
    roles.includes('leader') &&
    roles.includes('sync_standby')
  )
}

export async function startCluster(settings: Record<string, string> = {}): Promise<void> {
  const missingNames = missingClusterPackages()
  if (missingNames.length > 0)
    throw new Error(`These Debian packages are missing: apt-get install ${missingNames.join(' ')}`)
  passwords()
  for (const node of NODES) startEtcd(node)
  await waitUntil('etcd', () => respondsOk(`http://${HOST}:${PORTS.etcd(1)}/health`))
  for (const node of NODES) startPatroni(node)
  startHaproxy()
  startPgbouncer()
  await waitUntil('A primary and its synchronous standby', isComplete)
  await waitUntil('The primary behind HAProxy', () => runAsSuperuser('postgres', async () => true))
  await createDatabase()
  for (const server of SERVERS) startServer(server, settings)
  await waitUntil('The servers', async () => {
    for (const server of SERVERS)
      if (findRunningPid(`tatami${server}`) === undefined)
        throw new FutileWaitError(
          `Server ${server} has stopped: ${readLastLogLine(`tatami${server}`)}`,
        )
    const readyStates = await Promise.all(
      SERVERS.map((server) =>
        respondsOk(`http://${HOST}:${PORTS.server(server)}/api/health/ready`),
      ),
    )
    return readyStates.every(Boolean) && (await respondsOk(`${TATAMI_URL}/api/health/ready`))
  })
}

export async function stopCluster(): Promise<void> {
  const names = startedNames()
  const endAll = (pattern: RegExp) =>
    Promise.all(
      names.filter((name) => pattern.test(name)).map((name) => end(name, 'SIGTERM', MAX_STOP_MS)),
    )
  await endAll(/^tatami/)
  await endAll(/^(pgbouncer|haproxy)$/)
  await endAll(/^patroni/)
  for (const node of NODES) {
    const { postmaster } = findPostgres(dataFolder(node))
    if (postmaster !== undefined) await endProcess(postmaster, 'SIGINT', MAX_STOP_MS)
  }
  await endAll(/^etcd/)
}

export const isRunning = (): boolean =>
  startedNames().some((name) => findRunningPid(name) !== undefined)

const COMMANDS: Record<string, () => Promise<unknown>> = {
  start: async () => {
    await startCluster()
    console.log(
      `Tatami is ready at ${TATAMI_URL}. Stop it with: node deploy/cluster/cluster.ts stop`,
    )
  },
  stop: stopCluster,
  status: async () => {
    console.table(await listMembers())
    console.table(
      startedNames().map((name) => ({ name, pid: findRunningPid(name) ?? 'not running' })),
    )
  },
}

if (import.meta.main) {
  const command = COMMANDS[process.argv[2] ?? '']
  if (command) await command()
  else console.error('node deploy/cluster/cluster.ts start | stop | status')
  process.exitCode = command ? 0 : 1
}
