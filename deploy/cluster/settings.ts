import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireProgram } from '../../scripts/programs.ts'

export const HOST = '127.0.0.1'
export const NODES = [1, 2, 3] as const
export const SERVERS = [1, 2, 3, 4] as const

const { CLUSTER_DIR = '/var/tmp/tatami-cluster', CLUSTER_PORT = '4850' } = process.env
export const FOLDER = CLUSTER_DIR
const basePort = Number(CLUSTER_PORT)

export const PORTS = {
  http: basePort,
  primary: basePort + 10,
  standbys: basePort + 11,
  pgbouncer: basePort + 15,
  server: (server: number) => basePort + server,
  postgres: (node: number) => basePort + 20 + node,
  patroni: (node: number) => basePort + 30 + node,
  etcd: (node: number) => basePort + 40 + node,
  etcdPeer: (node: number) => basePort + 44 + node,
}

type Passwords = Record<'postgres' | 'replicator' | 'rewinder' | 'tatami' | 'app', string>

export function passwords(): Passwords {
  const file = join(FOLDER, 'passwords.json')
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true, mode: 0o755 })
    const passwordPairs = ['postgres', 'replicator', 'rewinder', 'tatami', 'app'].map((name) => [
      name,
      randomBytes(18).toString('base64url'),
    ])
    writeFileSync(file, JSON.stringify(Object.fromEntries(passwordPairs)), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Passwords
}

const login = (user: string, password: string, port: number, database = 'tatami') =>
  `postgresql://${user}:${password}@${HOST}:${port}/${database}`

/** `pooled` connects through PgBouncer to the primary. `superuser` also connects to the primary. */
export function databaseUrls() {
  const { postgres, tatami, app } = passwords()
  return {
    pooled: login('tatami_app', app, PORTS.pgbouncer),
    primary: login('tatami', tatami, PORTS.primary),
    standby: login('tatami_app', app, PORTS.standbys),
    superuser: (database: string) => login('postgres', postgres, PORTS.primary, database),
  }
}

/** Patroni before 3.0.3 (Debian 12) loses confirmed writes with version 3 of etcd's API. When it
 *  continues after a freeze, it takes the leadership back from another node
 *  (github.com/patroni/patroni/pull/2689). */
export function etcdApi(): 'etcd' | 'etcd3' {
  const { stdout } = spawnSync(requireProgram('patroni'), ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)+/.exec(stdout)?.[0] ?? '')
    .split('.')
    .map(Number)
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3'
}
