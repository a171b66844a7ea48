import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FOLDER } from './settings.ts'

export type Command = {
  program: string
  args: string[]
  env?: NodeJS.ProcessEnv
  asPostgres: boolean
}
type Identity = { pid: number; startedAt?: string }

const POLL_MS = 100
/** The index of the start time in /proc/<pid>/stat, counted after the state. */
const START_TIME_INDEX = 18
const pidFiles = join(FOLDER, 'pids')
const logs = join(FOLDER, 'logs')

/** PostgreSQL refuses to run as root, so root runs everything except Tatami's servers as
 *  `postgres`. */
export const postgresUser =
  process.getuid?.() === 0 ? { uid: readPostgresId('-u'), gid: readPostgresId('-g') } : undefined

function readPostgresId(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('There is no user postgres. Install the packages first.')
  return Number(stdout)
}

export function makeFolder(...parts: string[]): string {
  let folder = FOLDER
  for (const part of parts) {
    folder = join(folder, part)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (postgresUser) chownSync(folder, postgresUser.uid, postgresUser.gid)
  }
  return folder
}

export function writePrivately(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600 })
  if (postgresUser) chownSync(file, postgresUser.uid, postgresUser.gid)
}

export const readLastLogLine = (name: string): string =>
  readFileSync(join(logs, `${name}.log`), 'utf8')
    .trim()
    .split('\n')
    .at(-1) ?? ''

/** Returns when the process started, or undefined if it has ended. A later process with the same id
 *  has another start time. */
function readStartTime(pid: number): string | undefined {
  const [state, ...fields] = (
    readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).split(') ')[1] ?? ''
  ).split(' ')
  return state === '' || state === 'Z' ? undefined : fields[START_TIME_INDEX]
}

export function findRunningPid(name: string): number | undefined {
  const file = join(pidFiles, name)
  if (!existsSync(file)) return undefined
  const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as Identity
  return startedAt !== undefined && readStartTime(pid) === startedAt ? pid : undefined
}

export function start(name: string, { program, args, env = {}, asPostgres }: Command): void {
  if (findRunningPid(name) !== undefined) return
  for (const folder of [pidFiles, logs]) mkdirSync(folder, { recursive: true })
  const log = openSync(join(logs, `${name}.log`), 'a')
  const child = spawn(program, args, {
    cwd: asPostgres ? FOLDER : join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    detached: true,
    ...(asPostgres && postgresUser),
  })
  child.unref()
  if (child.pid === undefined) throw new Error(`${program} cannot be started`)
  writeFileSync(
    join(pidFiles, name),
    JSON.stringify({ pid: child.pid, startedAt: readStartTime(child.pid) }),
  )
}

export const startedNames = (): string[] => (existsSync(pidFiles) ? readdirSync(pidFiles) : [])

export async function end(name: string, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  const pid = findRunningPid(name)
  if (pid !== undefined) await endProcess(pid, signal, withinMs)
  rmSync(join(pidFiles, name), { force: true })
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function endProcess(
  pid: number,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
  const startedAt = readStartTime(pid)
  send(pid, signal)
  const deadline = performance.now() + withinMs
  while (readStartTime(pid) === startedAt) {
    if (performance.now() > deadline) {
      send(pid, 'SIGKILL')
      return
    }
    await sleep(POLL_MS)
  }
}

/** Finds all PostgreSQL processes of a data folder. They may still run after their postmaster has
 *  ended. */
export function findPostgres(dataFolder: string): {
  postmaster: number | undefined
  pids: number[]
} {
  const pids = readdirSync('/proc')
    .filter(
      (name) =>
        /^\d+$/.test(name) && readOrEmpty(() => readlinkSync(`/proc/${name}/cwd`)) === dataFolder,
    )
    .map(Number)
  return {
    postmaster: pids.find((pid) =>
      /^\S*\/postgres\0/.test(readOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))),
    ),
    pids,
  }
}

function readOrEmpty(readText: () => string): string {
  try {
    return readText()
  } catch {
    return ''
  }
}
