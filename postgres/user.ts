import { spawn, spawnSync } from 'node:child_process'
import { StartRefusal } from './start-refusal.ts'

/** Who runs PostgreSQL. Undefined: whoever runs us. */
export type User = { name: string; uid: number; gid: number } | undefined

const NAME = 'tatami'
const INSTEAD = 'Start Tatami as an ordinary user, or set DATABASE_URL.'

export const isRoot = (): boolean => process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so for root it runs as a system user, made here where it is missing. */
export function postgresUser(): User {
  if (!isRoot()) return undefined
  const known = userNamed(NAME)
  if (known) return known
  // In turn Debian's and Red Hat's way, and Alpine's. Another start may be doing the same: only the outcome counts.
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME])
  if (!userNamed(NAME)) spawnSync('adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', NAME])
  const made = userNamed(NAME)
  if (!made) throw new StartRefusal(`PostgreSQL does not run as root, and the system user ${NAME} could not be made. ${INSTEAD}`)
  return made
}

function userNamed(name: string): User {
  const [uid, gid] = ['-u', '-g'].map((which) => spawnSync('id', [which, name], { encoding: 'utf8' }).stdout?.trim())
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined
}

export type Outcome = { ok: boolean; output: string }

/** Runs a program as that user, away from the terminal: a Ctrl+C there is for the server, which still needs its database then. */
export function runAs(user: User, program: string, args: string[] = []): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      // Our own folder may be closed to that user, and PG* variables meant for other servers would mislead the programs.
      cwd: '/',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (words: string) => {
        output += words
      })
    child
      .once('error', (error) => resolve({ ok: false, output: error.message }))
      .once('close', (code) => resolve({ ok: code === 0, output }))
  })
}

export const canEnter = async (user: User, folder: string): Promise<boolean> => (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', folder])).ok
