import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BIN = '/usr/lib/postgresql/15/bin'

/** The folder of Debian's programs of PostgreSQL 15; undefined where they are not installed. */
export const findPostgres15 = (): string | undefined =>
  spawnSync(join(BIN, 'initdb'), ['--version'], { stdio: 'ignore' }).status === 0 ? BIN : undefined
