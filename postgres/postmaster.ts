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
/** No operating system assigns this process id. */
const UNUSED_PID = 2_147_483_647
/** Matches temporary errors: children of a killed server still run, or another process starts the
 *  server at the same time. */
const TRANSIENT_FAILURE = /shared memory block|lock file ".*" already exists/

export type StartResult = { ok: true } | { ok: false; isTransient: boolean; message: string }

/** Starts the server with `pg_ctl start`. It creates a new session, so signals to this process
 *  group do not reach the server. */
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

/** Returns a function that reads what was added to the logs since this call. */
function followLogs(folder: string): () => string {
  const listLogs = () => readdirSync(folder).map((name) => join(folder, name))
  const sizeBefore = new Map(listLogs().map((path) => [path, statSync(path).size]))
  return () =>
    listLogs()
      .map((path) => readFileSync(path, 'utf8').slice(sizeBefore.get(path) ?? 0))
      .join('')
}

export async function stopPostmaster({ user, bin, cluster }: Postmaster): Promise<boolean> {
  const runStop = (mode: string) =>
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
  await runStop('fast')
  if (isPostmasterRunning(cluster)) await runStop('immediate')
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

/** After a crash, another program may have got the process id in the lock file. */
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

/** If the server in the lock file has ended, replaces its process id. Otherwise PostgreSQL would
 *  not start if another process had this id. The rest of the file stays, because PostgreSQL uses it
 *  to find children of the ended server. */
function invalidateStaleLockFile(path: string, { cluster, user }: Postmaster) {
  const pid = readPid(path)
  if (pid === undefined || isPostmasterOf(cluster, pid)) return
  replaceFile(path, readFileSync(path, 'utf8').replace(/^-?\d+/, `${UNUSED_PID}`), user)
}
