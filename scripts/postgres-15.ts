/** Debian's programs of PostgreSQL 15, the oldest version that Tatami supports; never the cluster that Debian's package runs. */
import { spawnSync } from 'node:child_process'
import { findPostgres15 } from '../server/test/postgres-15.ts'

/** Their folder; undefined where they are missing and cannot be installed. */
export const findOrInstallPostgres15 = (): string | undefined =>
  findPostgres15() ??
  (process.getuid?.() === 0 && apt('update') && apt('install', '-y', 'postgresql-15')
    ? findPostgres15()
    : undefined)

function apt(...args: string[]): boolean {
  // At this run level Debian's package does not start its own cluster.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  return (
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      stdio: 'inherit',
      env,
    }).status === 0
  )
}
