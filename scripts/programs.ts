import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `/usr/sbin`, which has Debian's system programs, is not in the PATH of every user. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
const POSTGRES_FOLDER = '/usr/lib/postgresql'

export const findProgram = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))

export function requireProgram(name: string): string {
  const path = findProgram(name)
  if (!path) throw new Error(`The program ${name} is missing`)
  return path
}

export function findPostgresBin(): string | undefined {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : []
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRES_FOLDER, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

/** The Debian packages that the cluster test (deploy/cluster) needs and that are not installed. */
export const missingClusterPackages = (): string[] => [
  ...['etcd', 'patroni', 'haproxy', 'pgbouncer']
    .filter((name) => !findProgram(name))
    .map((name) => (name === 'etcd' ? 'etcd-server' : name)),
  ...(findPostgresBin() ? [] : ['postgresql']),
]
