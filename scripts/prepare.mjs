/**
 * Makes a clone ready to run: installs and builds what is not there yet or no longer fits. Runs before anything is installed, so:
 * plain JavaScript, nothing imported but Node's own, Node 20.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium, installChromium } from './chromium.mjs'
import { build, complaintAboutNode, install, isInstalledByHand } from './install.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { bears, putStamp, stampOfPackages, stampOfWeb } from './stamps.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const forTests = process.argv.includes('--for-tests')
// While developing, Vite serves the sources as they are.
const forDev = process.argv.includes('--for-dev')

const isInstalled = () => bears(root, 'packages', stampOfPackages(root))
const isBuilt = () => forDev || (bears(root, 'web', stampOfWeb(root)) && existsSync(join(root, 'web', 'dist', 'index.html')))
const isReady = () => isInstalled() && isBuilt() && (!forTests || findChromium() !== undefined)

async function prepare(lock) {
  if (!isInstalled()) {
    const stamp = stampOfPackages(root)
    if (!isInstalledByHand(root)) {
      console.log('Installing packages …')
      await install(root, lock)
    }
    putStamp(root, 'packages', stamp)
  }
  refuseOldNode()
  if (!isBuilt()) {
    const stamp = stampOfWeb(root)
    console.log('Building the web app …')
    await build(root, lock)
    putStamp(root, 'web', stamp)
  }
  if (forTests && !findChromium()) {
    console.log('Installing Chromium …')
    installChromium()
  }
}

function refuseOldNode() {
  const complaint = complaintAboutNode(root)
  if (complaint) throw new Error(complaint)
}

try {
  refuseOldNode()
  if (!isReady()) await oneAtATime(root, () => console.log('Another start is preparing this folder; waiting for it …'), prepare)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
