/** The oldest PostgreSQL that Tatami promises to work with, as Debian packs it: its programs only, never the cluster that the system runs. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BIN = '/usr/lib/postgresql/15/bin'

const find = () => (spawnSync(join(BIN, 'initdb'), ['--version'], { stdio: 'ignore' }).status === 0 ? BIN : undefined)

/** The folder of its programs, installed where that can be done, or undefined. */
export const postgres15 = (): string | undefined =>
  find() ?? (process.getuid?.() === 0 && apt('update') && apt('install', '-y', 'postgresql-15') ? find() : undefined)

function apt(...args: string[]): boolean {
  // At this run level the package's own cluster is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  return spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], { stdio: 'inherit', env }).status === 0
}
