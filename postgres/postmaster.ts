import { spawnSync } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorMessageIn } from './cluster.ts'
import { replaceFile, SOCKET_NAME } from './data-folder.ts'
import { runAs, type SystemUser } from './system-user.ts'

export type Postmaster = {
  user: SystemUser
  bin: string
  cluster: string
  socketDir: string
  logDir: string
}

// Recovery after a crash can take minutes.
const START_TIMEOUT_S = 600,
  STOP_TIMEOUT_S = 60
/** Above every process id that a system assigns. */
const UNUSED_PID = 2_147_483_647
/** Children of a killed server may linger, or two processes may start the server together. */
const TRANSIENT_FAILURE = /shared memory block|lock file ".*" already exists/

export type StartResult = { ok: true } | { ok: false; isTransient: boolean; message: string }

/** `pg_ctl start` uses a new session, so signals to this process group do not reach the server. */
export async function startPostmaster(postmaster: Postmaster): Promise<StartResult> {
  const { user, bin, cluster, socketDir, logDir } = postmaster
  invalidateStaleLockFile(join(cluster, 'postmaster.pid'), postmaster)
  invalidateStaleLockFile(join(socketDir, `${SOCKET_NAME}.lock`), postmaster)
  const log = join(logDir, 'start.log')
  rmSync(log, { force: true })
  const readNewLines = followLogs(logDir)
  const { ok, output } = await runAs(user, join(bin, 'pg_ctl'), [
    ...['start', '--pgdata', cluster, '--wait', `--timeout=${START_TIMEOUT_S}`, '--log', log],
  ])
  if (ok) return { ok }
  const message = errorMessageIn(`${output}\n${readNewLines()}`)
  return { ok, isTransient: TRANSIENT_FAILURE.test(message), message }
}

function followLogs(folder: string): () => string {
  const logs = () => readdirSync(folder).map((name) => join(folder, name))
  const sizeBefore = new Map(logs().map((path) => [path, statSync(path).size]))
  return () =>
    logs()
      .map((path) => readFileSync(path, 'utf8').slice(sizeBefore.get(path) ?? 0))
      .join('')
}

export async function stopPostmaster({ user, bin, cluster }: Postmaster): Promise<boolean> {
  const stop = (mode: string) =>
    runAs(user, join(bin, 'pg_ctl'), [
      'stop',
      '--pgdata',
      cluster,
      '--mode',
      mode,
      '--wait',
      `--timeout=${STOP_TIMEOUT_S}`,
    ])
  if (!isPostmasterRunning(cluster)) return true
  await stop('fast')
  if (isPostmasterRunning(cluster)) await stop('immediate')
  return !isPostmasterRunning(cluster)
}

export function isPostmasterRunning(cluster: string): boolean {
  const pid = readPid(join(cluster, 'postmaster.pid'))
  return pid !== undefined && isPostmasterOf(cluster, pid)
}

function readPid(lockFile: string): number | undefined {
  if (!existsSync(lockFile)) return undefined
  // A stand-alone backend (`postgres --single`) writes its id with a minus sign.
  const pid = Math.abs(Number.parseInt(readFileSync(lockFile, 'utf8'), 10))
  return pid > 0 ? pid : undefined
}

/** Process ids are reused, so after a crash the id in a lock file may belong to any program. */
function isPostmasterOf(cluster: string, pid: number): boolean {
  try {
    return process.platform === 'linux'
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
      : spawnSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.includes(
          cluster,
        )
  } catch {
    return false
  }
}

/** Replaces the id of an ended server, because PostgreSQL would not start if a new process had it.
 *  PostgreSQL uses the rest of the file to detect children of the ended server. */
function invalidateStaleLockFile(path: string, { cluster, user }: Postmaster) {
  const pid = readPid(path)
  if (pid === undefined || isPostmasterOf(cluster, pid)) return
  replaceFile(path, readFileSync(path, 'utf8').replace(/^-?\d+/, `${UNUSED_PID}`), user)
}
