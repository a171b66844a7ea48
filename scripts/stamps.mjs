import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SKIPPED = /^(dist|node_modules)$|\.test\.tsx?$/

/** Every file at or below `path`, without what is built, installed or only tested. */
function filesIn(path) {
  const parts = readdirSync(path, { withFileTypes: true }).filter((entry) => !SKIPPED.test(entry.name))
  return parts.flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : join(path, entry.name)))
}

/** A hash over the names and contents of the given files; one that is missing counts as such. */
function hashOf(root, files) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of files.toSorted((one, other) => (one < other ? -1 : 1))) {
    const path = join(root, file)
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : 'missing')
  }
  return hash.digest('hex')
}

/** What decides whether the packages have to be installed anew. */
export function stampOfPackages(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return hashOf(root, ['package-lock.json', 'package.json', '.npmrc', ...workspaces.map((name) => `${name}/package.json`)])
}

/** What decides whether the web app has to be built anew. */
export function stampOfWeb(root) {
  const below = (folder) => filesIn(join(root, folder)).map((path) => path.slice(root.length + 1))
  const builders = readdirSync(join(root, 'scripts'))
    .filter((name) => name.startsWith('build'))
    .map((name) => `scripts/${name}`)
  return hashOf(root, ['package-lock.json', 'tsconfig.json', ...builders, ...below('contract'), ...below('web')])
}

// Inside node_modules, so that whoever deletes that deletes the stamps with it.
const placeOf = (root, name) => join(root, 'node_modules', '.tatami', name)

export const bears = (root, name, stamp) => existsSync(placeOf(root, name)) && readFileSync(placeOf(root, name), 'utf8') === stamp

export function putStamp(root, name, stamp) {
  mkdirSync(dirname(placeOf(root, name)), { recursive: true })
  writeFileSync(placeOf(root, name), stamp)
}
