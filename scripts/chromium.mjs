/** Finds or installs the browser for the tests. Plain JavaScript, because it runs before the
 *  packages are installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const HEADLESS_SHELL = 'chromium-headless-shell'
const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MACOS_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const isRoot = process.getuid?.() === 0

export function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH && !canRun(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, which does not run.`)
  return (
    CHROMIUM_PATH ||
    [...candidatesInPath(PATH, PROGRAM_NAMES), ...MACOS_PATHS].find(canRun) ||
    playwrightChromium()
  )
}

/** The headless shell makes the tests a quarter faster, but cannot show notifications. */
export function findHeadlessShell() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  return CHROMIUM_PATH ? undefined : candidatesInPath(PATH, [HEADLESS_SHELL]).find(canRun)
}

/** Tries to install the headless shell. Without it, the tests only take longer. */
export function installHeadlessShell() {
  const install = () => runApt('install', '-y', HEADLESS_SHELL)
  if (isRoot && !process.env.CHROMIUM_PATH && !install() && runApt('update')) install()
}

/** Installs Chromium if missing, and throws with a message if that fails. */
export function chromiumPath() {
  return findChromium() ?? installChromium()
}

export function installChromium() {
  for (const install of [installWithApt, installWithPlaywright]) {
    const path = install() && findChromium()
    if (path) return path
  }
  throw new Error(
    'The tests need Chromium, and it could not be installed. Please install it ' +
      '(Debian: apt-get install chromium), or set CHROMIUM_PATH to a Chromium.',
  )
}

// Debian's package also installs system libraries that Playwright's download lacks.
const installWithApt = () =>
  isRoot && runApt('update') && runApt('install', '-y', 'chromium', HEADLESS_SHELL)
const installWithPlaywright = () =>
  runCommand('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
const runApt = (...args) => runCommand('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args])

const candidatesInPath = (path, names) =>
  path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

// Ubuntu's /usr/bin/chromium-browser may only print a hint to install a snap.
const canRun = (path) =>
  existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0

const runCommand = (command, args) =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

function playwrightChromium() {
  try {
    const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    return canRun(path) ? path : undefined
  } catch {
    return undefined
  }
}
