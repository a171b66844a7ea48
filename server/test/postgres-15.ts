import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BIN = '/usr/lib/postgresql/15/bin'

/** Returns the folder of Debian's PostgreSQL 15, or undefined if it is not installed. */
export const findPostgres15 = (): string | undefined =>
  spawnSync(join(BIN, 'initdb'), ['--version'], { stdio: 'ignore' }).status === 0 ? BIN : undefined
