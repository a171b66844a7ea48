import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const packageJson = z.object({ version: z.string() })
const ROOT = join(import.meta.dirname, '../..')

export type Build = { version: string; files: string }

const readVersion = (root: string): string =>
  packageJson.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version

export const VERSION = readVersion(ROOT)

const SERVER_FILES = [
  'package.json',
  'package-lock.json',
  '{contract,postgres,server}/**/*.{ts,sql,json}',
]
const EXCLUDED_FILES = ['**/node_modules/**', '**/*.test.ts', 'server/test/**']

export function readBuild(root = ROOT): Build {
  const hash = createHash('sha256')
  for (const path of globSync(SERVER_FILES, { cwd: root, exclude: EXCLUDED_FILES }).toSorted())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return { version: readVersion(root), files: hash.digest('hex').slice(0, 16) }
}
