import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Of which copy of Tatami a server is: the version in its package.json, and a digest of the files that it runs. */
export type Copy = { version: string; files: string }

/** The version of this copy of Tatami, as in its package.json. */
export const VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version

/** What a server loads, with its packages; a release that changes the web app alone has another version. */
const RUN = ['package.json', 'package-lock.json', '{contract,postgres,server}/**/*.{ts,sql,json}']
const NOT_RUN = ['**/node_modules/**', '**/*.test.ts', 'server/test/**']

/** This copy as its files are at this moment, which an update may have changed since the start. */
export function copyOnDisk(root = ROOT): Copy {
  const hash = createHash('sha256')
  for (const path of globSync(RUN, { cwd: root, exclude: NOT_RUN }).toSorted())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return { version, files: hash.digest('hex').slice(0, 16) }
}
