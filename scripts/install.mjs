import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

const NODE_MAJOR = 24

/** The Node 24 that npm brought, else the one that runs this. */
function nodeOf(root) {
  const brought = join(root, 'node_modules', '.bin', 'node')
  return existsSync(brought) ? brought : process.execPath
}

/** A sentence when no Node 24 serves here, neither npm's nor the installed one. */
export function complaintAboutNode(root) {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return undefined
  const { optionalDependencies } = readJson(root, 'package.json')
  const isInstalled = existsSync(join(root, 'node_modules', '.package-lock.json'))
  const isBrought = isInstalled ? nodeOf(root) !== process.execPath : `node-${process.platform}-${process.arch}` in optionalDependencies
  return isBrought
    ? undefined
    : `Tatami needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and npm has none that runs on this machine. Please install it from https://nodejs.org.`
}

/** Whether npm itself says that everything the lockfile asks for is there, as after an `npm ci` by hand. */
export function isInstalledByHand(root) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false
  const wanted = packagesIn(readJson(root, 'package-lock.json'))
  const there = packagesIn(readJson(root, 'node_modules/.package-lock.json'))
  const isRight = ([path, one]) => {
    const found = there[path]
    return found ? found.version === one.version && found.integrity === one.integrity : one.optional && isForeign(one)
  }
  return Object.entries(wanted).every(isRight) && Object.keys(there).every((path) => path in wanted) && isLockInStep(root)
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']

/** Whether the lockfile knows the workspaces' package.json as they are; where it does not, npm ci shall say so. */
function isLockInStep(root) {
  const { packages } = readJson(root, 'package-lock.json')
  const { workspaces } = readJson(root, 'package.json')
  return ['', ...workspaces].every((place) => {
    const one = readJson(join(root, place), 'package.json')
    return KINDS.every((kind) => isDeepStrictEqual(one[kind], packages[place]?.[kind]))
  })
}

/** Installs what the lockfile says, development tools included whatever NODE_ENV says. No package runs code of its own. */
export async function install(root, lock) {
  // npm by the Node that runs npm: the one in node_modules is about to be deleted.
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  const [command, ...first] = node && npm ? [node, npm] : ['npm']
  const code = await run(root, lock, command, [
    ...first,
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (code !== 0) throw new Error('Installing failed; what npm said stands above.')
  const brought = nodeOf(root)
  // On musl, say, npm's Node is there but does not run, and would stand in the way of the installed one.
  if (brought !== process.execPath && spawnSync(brought, ['--version']).status !== 0) rmSync(brought)
}

export async function build(root, lock) {
  const code = await run(root, lock, nodeOf(root), ['scripts/build.ts'])
  if (code !== 0) throw new Error('Building the web app failed; the reason stands above.')
}

/** Of the optional packages, those for other machines may be missing, and what only they need. */
const isForeign = ({ os, cpu, libc }) =>
  Boolean(libc) || (!os && !cpu) || os?.includes(process.platform) === false || cpu?.includes(process.arch) === false

/** The child holds the lock as well (see one-at-a-time), so that it stays shut should we be killed. */
const run = (cwd, lock, command, args) =>
  new Promise((resolve, reject) => {
    spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit', lock.fd] })
      .once('error', reject)
      .once('exit', resolve)
  })

const readJson = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const packagesIn = ({ packages }) => Object.fromEntries(Object.entries(packages).filter(([path]) => path.includes('node_modules/')))
