import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { complaintIn } from './cluster.ts'
import { replaceFile } from './place.ts'
import { runAs, type User } from './user.ts'

/** One PostgreSQL server over one cluster: its programs, its folders, who runs it. */
export type Postmaster = { user: User; bin: string; cluster: string; socketDir: string; logDir: string }

export const SOCKET = '.s.PGSQL.5432'
// Recovery after a crash takes as long as it takes; pg_ctl returns as soon as the server answers.
const START_SECONDS = 600,
  STOP_SECONDS = 60
/** Above every number that a system gives. */
const NOBODY = 2_147_483_647
/** The survivors of a killed server need a moment to notice, and two starts at once may meet. */
const PASSING = /shared memory block|lock file ".*" already exists/

export type Started = { ok: true } | { ok: false; isPassing: boolean; complaint: string }

/** `pg_ctl start` gives the server a session of its own: it hears nothing of what happens to ours. */
export async function startPostmaster(postmaster: Postmaster): Promise<Started> {
  const { user, bin, cluster, socketDir, logDir } = postmaster
  disownLockFile(join(cluster, 'postmaster.pid'), postmaster)
  disownLockFile(join(socketDir, `${SOCKET}.lock`), postmaster)
  const log = join(logDir, 'start.log')
  rmSync(log, { force: true })
  const read = logReader(logDir)
  const { ok, output } = await runAs(user, join(bin, 'pg_ctl'), [
    'start',
    '--pgdata',
    cluster,
    '--wait',
    `--timeout=${START_SECONDS}`,
    '--log',
    log,
  ])
  if (ok) return { ok }
  const complaint = complaintIn(`${output}\n${read()}`)
  return { ok, isPassing: PASSING.test(complaint), complaint }
}

/** What has been added to the logs since. At first the server writes to the one that pg_ctl names, then to those of its collector. */
function logReader(folder: string): () => string {
  const logs = () => readdirSync(folder).map((name) => join(folder, name))
  const before = new Map(logs().map((path) => [path, statSync(path).size]))
  return () =>
    logs()
      .map((path) => readFileSync(path, 'utf8').slice(before.get(path) ?? 0))
      .join('')
}

/** Ends the sessions, writes everything down, stops. True when it stands still. */
export async function stopPostmaster({ user, bin, cluster }: Postmaster): Promise<boolean> {
  const stop = (mode: string) =>
    runAs(user, join(bin, 'pg_ctl'), ['stop', '--pgdata', cluster, '--mode', mode, '--wait', `--timeout=${STOP_SECONDS}`])
  if (runningPostmaster(cluster) === undefined) return true
  await stop('fast')
  if (runningPostmaster(cluster) !== undefined) await stop('immediate')
  return runningPostmaster(cluster) === undefined
}

/** The process id of the server that runs on this cluster. */
export function runningPostmaster(cluster: string): number | undefined {
  const pid = pidIn(join(cluster, 'postmaster.pid'))
  return pid !== undefined && isPostmasterOf(cluster, pid) ? pid : undefined
}

function pidIn(lockFile: string): number | undefined {
  if (!existsSync(lockFile)) return undefined
  // A program of the same name by hand writes its number with a minus sign.
  const pid = Math.abs(Number.parseInt(readFileSync(lockFile, 'utf8'), 10))
  return pid > 0 ? pid : undefined
}

/** Numbers are given again: after a crash the one in a lock file may by now be anybody's. */
function isPostmasterOf(cluster: string, pid: number): boolean {
  try {
    return process.platform === 'linux'
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
      : spawnSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.includes(cluster)
  } catch {
    return false
  }
}

/**
 * PostgreSQL takes a lock file seriously while any process has the number in it, and would not start. Only the number is replaced:
 * the rest names the shared memory by which PostgreSQL finds out whether a killed server has survivors.
 */
function disownLockFile(path: string, { cluster, user }: Postmaster) {
  const pid = pidIn(path)
  if (pid === undefined || isPostmasterOf(cluster, pid)) return
  replaceFile(path, readFileSync(path, 'utf8').replace(/^-?\d+/, `${NOBODY}`), user)
}
