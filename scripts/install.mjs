import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

export const NODE_MAJOR = 24

export function nodePath(root) {
  const bundled = join(root, 'node_modules', '.bin', 'node')
  return existsSync(bundled) ? bundled : process.execPath
}

export function nodeVersionError(root) {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return undefined
  const { optionalDependencies } = readJson(root, 'package.json')
  const isInstalled = existsSync(join(root, 'node_modules', '.package-lock.json'))
  const isAvailable = isInstalled
    ? nodePath(root) !== process.execPath
    : `node-${process.platform}-${process.arch}` in optionalDependencies
  return isAvailable
    ? undefined
    : `Tatami needs Node ${NODE_MAJOR} or newer. This is ${process.version}, and npm has no newer ` +
        'one for this machine. Please install it from https://nodejs.org.'
}

export function matchesLockfile(root) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false
  const lockedPackages = packagesIn(readJson(root, 'package-lock.json'))
  const installedPackages = packagesIn(readJson(root, 'node_modules/.package-lock.json'))
  const isInstalledAsLocked = ([path, lockedPackage]) => {
    const installedPackage = installedPackages[path]
    if (!installedPackage) return lockedPackage.optional && isForOtherPlatform(lockedPackage)
    return ['version', 'integrity'].every((key) => installedPackage[key] === lockedPackage[key])
  }
  return (
    Object.entries(lockedPackages).every(isInstalledAsLocked) &&
    Object.keys(installedPackages).every((path) => path in lockedPackages) &&
    isLockfileCurrent(root)
  )
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies']

function isLockfileCurrent(root) {
  const { packages } = readJson(root, 'package-lock.json')
  const { workspaces } = readJson(root, 'package.json')
  return ['', ...workspaces].every((folder) => {
    const manifest = readJson(join(root, folder), 'package.json')
    return DEPENDENCY_FIELDS.every((field) =>
      isDeepStrictEqual(manifest[field], packages[folder]?.[field]),
    )
  })
}

/** Installs development tools even if NODE_ENV is `production`. Install scripts do not run. */
export async function install(root, lock) {
  // Run npm with its current Node: the one in node_modules is about to be deleted.
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  const [command, ...args] = node && npm ? [node, npm] : ['npm']
  const code = await runWithLock(root, lock, command, [
    ...args,
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (code !== 0) throw new Error('Installing the packages failed. See the output of npm above.')
  const bundledNode = nodePath(root)
  // On musl (Alpine Linux), npm's Node does not run, but it would be used.
  if (bundledNode !== process.execPath && spawnSync(bundledNode, ['--version']).status !== 0)
    rmSync(bundledNode)
  const link = join(root, 'scripts', 'link-postgres.ts')
  if (existsSync(link)) await runWithLock(root, lock, nodePath(root), [link])
}

export async function build(root, lock) {
  const code = await runWithLock(root, lock, nodePath(root), ['scripts/build.ts'])
  if (code !== 0) throw new Error('Building the web app failed. See the output above.')
}

/** True if npm may skip an optional package: one for another platform, or a dependency of one. */
const isForOtherPlatform = ({ os, cpu, libc }) =>
  Boolean(libc) ||
  (!os && !cpu) ||
  os?.includes(process.platform) === false ||
  cpu?.includes(process.arch) === false

/** The child also holds the lock (process-lock.mjs). If this process is killed, another process
 *  still waits until the child ends. */
const runWithLock = (cwd, lock, command, args) =>
  new Promise((resolve, reject) => {
    spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit', lock.fd] })
      .once('error', reject)
      .once('exit', resolve)
  })

const readJson = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const packagesIn = ({ packages }) =>
  Object.fromEntries(Object.entries(packages).filter(([path]) => path.includes('node_modules/')))
