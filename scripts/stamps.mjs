/** A step of `prepare.mjs` runs again if its stamp, a hash of the files it uses, has changed. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SKIPPED_NAMES = /^(dist|node_modules)$|\.test\.tsx?$/

function listFiles(path) {
  const entries = readdirSync(path, { withFileTypes: true }).filter(
    ({ name }) => !SKIPPED_NAMES.test(name),
  )
  return entries.flatMap((entry) => {
    const entryPath = join(path, entry.name)
    return entry.isDirectory() ? listFiles(entryPath) : entryPath
  })
}

/** Hashes names and contents. A missing file changes the hash, too. */
function hashFiles(root, files) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) {
    const path = join(root, file)
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : 'missing')
  }
  return hash.digest('hex')
}

export function packagesStamp(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return hashFiles(root, [
    'package-lock.json',
    'package.json',
    '.npmrc',
    ...workspaces.map((name) => `${name}/package.json`),
  ])
}

export function webStamp(root) {
  const filesIn = (folder) =>
    listFiles(join(root, folder)).map((path) => path.slice(root.length + 1))
  const buildScripts = readdirSync(join(root, 'scripts'))
    .filter((name) => name.startsWith('build'))
    .map((name) => `scripts/${name}`)
  return hashFiles(root, [
    'package-lock.json',
    'tsconfig.json',
    ...buildScripts,
    ...filesIn('contract'),
    ...filesIn('web'),
  ])
}

// Stored in node_modules, so that deleting the packages also deletes the stamps.
const stampPath = (root, name) => join(root, 'node_modules', '.tatami', name)

export const hasStamp = (root, name, stamp) =>
  existsSync(stampPath(root, name)) && readFileSync(stampPath(root, name), 'utf8') === stamp

export function writeStamp(root, name, stamp) {
  mkdirSync(dirname(stampPath(root, name)), { recursive: true })
  writeFileSync(stampPath(root, name), stamp)
}
