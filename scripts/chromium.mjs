/** Finds or installs the browser for the tests. Plain JavaScript, because it runs before the
 *  packages are installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const IN_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const isRoot = process.getuid?.() === 0

export function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH && !runs(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, and that does not run.`)
  return (
    CHROMIUM_PATH || [...inPath(PATH, NAMES), ...IN_APPLICATIONS].find(runs) || playwrightChromium()
  )
}

/** Chromium's headless shell takes a quarter less time, but has no notifications. Undefined if
 *  missing, or if CHROMIUM_PATH names another browser. */
export function findHeadlessShell() {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  return CHROMIUM_PATH ? undefined : inPath(PATH, [HEADLESS_SHELL]).find(runs)
}

/** The tests also pass without it. */
export function installHeadlessShell() {
  const install = () => apt('install', '-y', HEADLESS_SHELL)
  if (isRoot && !process.env.CHROMIUM_PATH && !install() && apt('update')) install()
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
    'The tests need Chromium, and it could not be installed. Please install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
  )
}

// Debian's package also installs system libraries that Playwright's download lacks.
const installWithApt = () =>
  isRoot && apt('update') && apt('install', '-y', 'chromium', HEADLESS_SHELL)
const installWithPlaywright = () =>
  succeeds('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
const apt = (...args) => succeeds('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args])

const inPath = (path, names) =>
  path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

// Ubuntu's /usr/bin/chromium-browser may only print a hint to install a snap.
const runs = (path) =>
  existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0

const succeeds = (command, args) =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

function playwrightChromium() {
  try {
    const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    return runs(path) ? path : undefined
  } catch {
    return undefined
  }
}
