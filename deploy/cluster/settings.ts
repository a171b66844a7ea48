import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireProgram } from '../../scripts/programs.ts'

export const HOST = '127.0.0.1'
export const NODES = [1, 2, 3] as const,
  SERVERS = [1, 2, 3, 4] as const

const { CLUSTER_DIR = '/var/tmp/tatami-cluster', CLUSTER_PORT = '4850' } = process.env
export const FOLDER = CLUSTER_DIR
const base = Number(CLUSTER_PORT)

export const PORTS = {
  http: base,
  primary: base + 10,
  standbys: base + 11,
  pgbouncer: base + 15,
  server: (n: number) => base + n,
  postgres: (n: number) => base + 20 + n,
  patroni: (n: number) => base + 30 + n,
  etcd: (n: number) => base + 40 + n,
  etcdPeer: (n: number) => base + 44 + n,
}

type Passwords = Record<'postgres' | 'replicator' | 'rewinder' | 'tatami' | 'app', string>

/** Made at the first start and kept beside the data. */
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

/** Addresses of the database: through PgBouncer, of the primary, of a standby, and of the primary
 *  for its superuser. */
export function databaseUrls() {
  const { postgres, tatami, app } = passwords()
  return {
    pooled: login('tatami_app', app, PORTS.pgbouncer),
    primary: login('tatami', tatami, PORTS.primary),
    standby: login('tatami_app', app, PORTS.standbys),
    superuser: (database: string) => login('postgres', postgres, PORTS.primary, database),
  }
}

/** Patroni's name for the version of etcd's API. Before 3.0.3 (Debian 12 has 3.0.2) it takes the
 *  leadership back without asking over the third one when it wakes up after another has it
 *  (github.com/patroni/patroni/pull/2689), and loses what that one has acknowledged. */
export function etcdApi(): 'etcd' | 'etcd3' {
  const { stdout } = spawnSync(requireProgram('patroni'), ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)+/.exec(stdout)?.[0] ?? '')
    .split('.')
    .map(Number)
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3'
}
