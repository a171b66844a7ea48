import { spawn, spawnSync } from 'node:child_process'
import { EmbeddedPostgresError } from './errors.ts'

export type SystemUser = { name: string; uid: number; gid: number } | undefined

export const isRoot = (): boolean => process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so root runs it as this system user. If the user is missing,
 *  this creates it. */
export function findOrCreateSystemUser(name: string): SystemUser {
  if (!isRoot()) return undefined
  const existingUser = findUser(name)
  if (existingUser) return existingUser
  // Debian and Red Hat have useradd. Alpine has adduser. Both fail if another process has created
  // the user before.
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ])
  if (!findUser(name)) spawnSync('adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', name])
  const createdUser = findUser(name)
  if (!createdUser)
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the system user ${name} could not be created.`,
      'no_system_user',
    )
  return createdUser
}

function findUser(name: string): SystemUser {
  const [uid, gid] = ['-u', '-g'].map((option) =>
    spawnSync('id', [option, name], { encoding: 'utf8' }).stdout?.trim(),
  )
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined
}

export const userName = (uid: number): string =>
  spawnSync('id', ['-un', `${uid}`], { encoding: 'utf8' }).stdout?.trim() || `user ${uid}`

type RunResult = { ok: boolean; output: string }

/** Runs the program in a new session, so Ctrl+C does not stop PostgreSQL before its clients. */
export function runAs(user: SystemUser, program: string, args: string[] = []): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      // The user may lack access to the current folder. PG* variables would change how the programs
      // behave.
      cwd: '/',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    child
      .once('error', (error) => resolve({ ok: false, output: error.message }))
      .once('close', (code) => resolve({ ok: code === 0, output }))
  })
}

export const canAccess = async (user: SystemUser, folder: string): Promise<boolean> =>
  (await runAs(user, '/bin/sh', ['-c', 'cd "$0"', folder])).ok
