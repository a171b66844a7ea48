import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Identifies a copy of Tatami: its version, and a digest of its server files. */
export type Copy = { version: string; files: string }

export const VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version

/** What a server loads, with its packages. Changes of the web app alone change the version. */
const RUN = ['package.json', 'package-lock.json', '{contract,postgres,server}/**/*.{ts,sql,json}']
const NOT_RUN = ['**/node_modules/**', '**/*.test.ts', 'server/test/**']

/** Read from disk, which an update may have changed since the start. */
export function copyOnDisk(root = ROOT): Copy {
  const hash = createHash('sha256')
  for (const path of globSync(RUN, { cwd: root, exclude: NOT_RUN }).toSorted())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return { version, files: hash.digest('hex').slice(0, 16) }
}
