import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { attempt, replaceFile, type Place } from './place.ts'
import { runAs } from './user.ts'
import { StartRefusal } from './start-refusal.ts'

type Secrets = { postgres: string; tatami_app: string }
export type PostgresSettings = Record<string, string | number>

const SECRETS = 'postgres-passwords.json'
const DRAFT = 'postgres.new-'
const CONF = 'tatami.conf'

/** The passwords of this folder's database, made up once. Of several starts at once all get the same. */
export function secretsIn({ dataDir }: Place): Secrets {
  const path = join(dataDir, SECRETS)
  if (!existsSync(path)) {
    if (existsSync(join(dataDir, 'postgres')))
      throw new StartRefusal(`${path} is missing, and without it nobody gets into the database beside it.`)
    const made: Secrets = { postgres: randomBytes(24).toString('base64url'), tatami_app: randomBytes(24).toString('base64url') }
    attempt(dataDir, () => {
      const draft = `${path}.${randomBytes(4).toString('hex')}`
      writeFileSync(draft, `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true })
      try {
        linkSync(draft, path)
      } catch (error) {
        if (!existsSync(path)) throw error
      } finally {
        rmSync(draft)
      }
    })
  }
  return attempt(dataDir, () => JSON.parse(readFileSync(path, 'utf8')) as Secrets)
}

/** The cluster's folder. It is made beside its place and then renamed, so that a crash on the way leaves no half of one. */
export async function clusterIn(place: Place, bin: string, password: string, inHaste: boolean): Promise<string> {
  const cluster = join(place.dataDir, 'postgres')
  if (existsSync(cluster)) return cluster
  const draft = join(place.dataDir, `${DRAFT}${randomBytes(4).toString('hex')}`)
  try {
    const passwordFile = join(draft, 'password')
    attempt(place.dataDir, () => {
      mkdirSync(draft, { mode: 0o700 })
      writeFileSync(passwordFile, password, { mode: 0o600 })
      if (place.user) for (const path of [draft, passwordFile]) chownSync(path, place.user.uid, place.user.gid)
    })
    const made = await runAs(place.user, join(bin, 'initdb'), [
      '--pgdata',
      join(draft, 'cluster'),
      '--username',
      'postgres',
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--locale',
      'C',
      '--data-checksums',
      '--no-instructions',
      ...(inHaste ? ['--no-sync'] : []),
    ])
    if (!made.ok && !existsSync(cluster))
      throw new StartRefusal(`The database could not be made in ${place.dataDir}: ${complaintIn(made.output)}`)
    attempt(place.dataDir, () => settle(join(draft, 'cluster'), cluster))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return cluster
}

function settle(draft: string, cluster: string) {
  try {
    appendFileSync(join(draft, 'postgresql.conf'), `\ninclude '${CONF}'\n`, { flush: true })
    renameSync(draft, cluster)
  } catch (error) {
    // Another start was faster, and may even have cleared ours away.
    if (!existsSync(cluster)) throw error
  }
}

/** Drafts of starts that died. Only whoever holds the folder's lock may say that they did. */
export function clearDrafts({ dataDir }: Place): void {
  const drafts = readdirSync(dataDir).filter((name) => name.startsWith(DRAFT) || name.startsWith(`${SECRETS}.`))
  for (const name of drafts) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** Written anew at every start: the folder may have moved, and Tatami may know better than last time. */
export function writeSettings({ user }: Place, cluster: string, settings: PostgresSettings): void {
  const quoted = (value: string | number) => (typeof value === 'number' ? value : `'${value.replaceAll("'", "''")}'`)
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}\n`)
  const text = `# Tatami writes this file at every start; what ALTER SYSTEM sets wins over it.\n${lines.join('')}`
  attempt(cluster, () => replaceFile(join(cluster, CONF), text, user))
}

/** Lines that only look like the reason: progress, advice, answers to those who knocked too early. */
const NOISE = /\bLOG: |^waiting for|Examine the log|the database system is/

/** The sentence that matters in what PostgreSQL's programs said. */
export function complaintIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !NOISE.test(line))
  const reasons = lines.flatMap((line) => line.match(/\b(?:error|FATAL|PANIC): +(.*)/)?.[1] ?? [])
  return reasons[0] ?? lines.at(-1)?.trim() ?? 'it gave no reason'
}
