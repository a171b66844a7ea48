/** Installs the packages and builds the web app, if necessary. Plain JavaScript for Node 20 without
 *  packages, because it runs before they are installed. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  findChromium,
  findHeadlessShell,
  installChromium,
  installHeadlessShell,
} from './chromium.mjs'
import { build, nodeVersionError, install, matchesLockfile } from './install.mjs'
import { withProcessLock } from './process-lock.mjs'
import { hasStamp, writeStamp, packagesStamp, webStamp } from './stamps.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const forTests = process.argv.includes('--for-tests')
const forDev = process.argv.includes('--for-dev')

const isInstalled = () => hasStamp(root, 'packages', packagesStamp(root))
const isBuilt = () =>
  forDev ||
  (hasStamp(root, 'web', webStamp(root)) && existsSync(join(root, 'web', 'dist', 'index.html')))
const isReady = () =>
  isInstalled() && isBuilt() && (!forTests || (findChromium() && findHeadlessShell()))

async function prepare(lock) {
  if (!isInstalled()) {
    const stamp = packagesStamp(root)
    if (!matchesLockfile(root)) {
      console.log('Installing packages …')
      await install(root, lock)
    }
    writeStamp(root, 'packages', stamp)
  }
  checkNodeVersion()
  if (!isBuilt()) {
    const stamp = webStamp(root)
    console.log('Building the web app …')
    await build(root, lock)
    writeStamp(root, 'web', stamp)
  }
  if (forTests && !findChromium()) {
    console.log('Installing Chromium …')
    installChromium()
  }
  if (forTests && !findHeadlessShell()) installHeadlessShell()
}

function checkNodeVersion() {
  const message = nodeVersionError(root)
  if (message) throw new Error(message)
}

try {
  checkNodeVersion()
  if (!isReady())
    await withProcessLock(
      root,
      () => console.log('Waiting for another command that is preparing this folder …'),
      prepare,
    )
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
