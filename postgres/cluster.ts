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
import { dirname, join } from 'node:path'
import { type DataFolder, replaceFile, withFolderErrors } from './data-folder.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { runAs } from './system-user.ts'

export type PostgresSettings = Record<string, string | number>

export const PASSWORDS_FILE = 'postgres-passwords.json'
const UNFINISHED_CLUSTER = 'postgres.new-'
const newPassword = () => randomBytes(24).toString('base64url')

/** Loads the passwords. In a new data folder, creates them. If two processes do this at the same
 *  time, both get the same passwords. */
export function loadPasswords<Role extends string>(
  { dataDir }: DataFolder,
  roles: readonly Role[],
): Record<Role, string> {
  const path = join(dataDir, PASSWORDS_FILE)
  if (!existsSync(path)) {
    if (existsSync(join(dataDir, 'postgres')))
      throw new EmbeddedPostgresError(
        `${path} is missing. Without it, the database next to it cannot be opened.`,
      )
    withFolderErrors(dataDir, () =>
      writeOnce(path, Object.fromEntries(roles.map((role) => [role, newPassword()]))),
    )
  }
  const passwords = withFolderErrors(
    dataDir,
    () => JSON.parse(readFileSync(path, 'utf8')) as Record<Role, string>,
  )
  const missingRole = roles.find((role) => !passwords[role])
  if (missingRole)
    throw new EmbeddedPostgresError(`${path} has no password for the role ${missingRole}.`)
  return passwords
}

/** Writes a file unless it exists. Because of the hard link, no process reads an incomplete
 *  file. */
function writeOnce(path: string, content: object) {
  const temporaryPath = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporaryPath, `${JSON.stringify(content)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(temporaryPath, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(temporaryPath)
  }
}

type ClusterOptions = {
  bin: string
  superuserPassword: string
  settingsFile: string
  skipSync: boolean
}

/** Creates the cluster if it is missing, and returns its folder. It has a temporary name until it
 *  is complete, so a crash leaves no incomplete cluster. */
export async function ensureCluster(
  { dataDir, user }: DataFolder,
  { bin, superuserPassword, settingsFile, skipSync }: ClusterOptions,
): Promise<string> {
  const cluster = join(dataDir, 'postgres')
  if (existsSync(cluster)) return cluster
  const temporaryFolder = join(dataDir, `${UNFINISHED_CLUSTER}${randomBytes(4).toString('hex')}`)
  try {
    const passwordFile = join(temporaryFolder, 'password')
    withFolderErrors(dataDir, () => {
      mkdirSync(temporaryFolder, { mode: 0o700 })
      writeFileSync(passwordFile, superuserPassword, { mode: 0o600 })
      if (user)
        for (const path of [temporaryFolder, passwordFile]) chownSync(path, user.uid, user.gid)
    })
    const { ok, output } = await runAs(user, join(bin, 'initdb'), [
      ...['--pgdata', join(temporaryFolder, 'cluster')],
      ...['--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...[
        '--encoding',
        'UTF8',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        '--locale',
        'C',
      ],
      ...['--data-checksums', '--no-instructions', ...(skipSync ? ['--no-sync'] : [])],
    ])
    if (!ok && !existsSync(cluster))
      throw new EmbeddedPostgresError(
        `The database could not be created in ${dataDir}: ${errorMessageIn(output)}`,
      )
    withFolderErrors(dataDir, () =>
      moveIntoPlace(join(temporaryFolder, 'cluster'), cluster, settingsFile),
    )
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true })
  }
  return cluster
}

function moveIntoPlace(newCluster: string, cluster: string, settingsFile: string) {
  try {
    appendFileSync(join(newCluster, 'postgresql.conf'), `\ninclude '${settingsFile}'\n`, {
      flush: true,
    })
    renameSync(newCluster, cluster)
  } catch (error) {
    // Another process was faster, and may have removed the folder of this one.
    if (!existsSync(cluster)) throw error
  }
}

export function removeUnfinishedFiles({ dataDir }: DataFolder): void {
  const unfinishedNames = readdirSync(dataDir).filter(
    (name) => name.startsWith(UNFINISHED_CLUSTER) || name.startsWith(`${PASSWORDS_FILE}.`),
  )
  for (const name of unfinishedNames) rmSync(join(dataDir, name), { recursive: true, force: true })
}

export function writeSettings(
  { user }: DataFolder,
  path: string,
  settings: PostgresSettings,
): void {
  const quote = (value: string | number) =>
    typeof value === 'number' ? value : `'${value.replaceAll("'", "''")}'`
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}\n`)
  const text =
    '# This file is replaced at every start. Settings made with ALTER SYSTEM take ' +
    `precedence.\n${lines.join('')}`
  withFolderErrors(dirname(path), () => replaceFile(path, text, user))
}

/** Matches lines that do not say why a start failed: progress, advice and early connections. */
const IRRELEVANT_LINE = /\bLOG: |^waiting for|Examine the log|the database system is/

export function errorMessageIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !IRRELEVANT_LINE.test(line))
  const reasons = lines.flatMap((line) => line.match(/\b(?:error|FATAL|PANIC): +(.*)/)?.[1] ?? [])
  return reasons[0] ?? lines.at(-1)?.trim() ?? 'it gave no reason'
}
