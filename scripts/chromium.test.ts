import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tatami-chromium-'))
const bin = join(folder, 'bin')
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  rmSync(bin, { recursive: true, force: true })
  mkdirSync(bin)
})

const SUCCEEDS = 'exit 0'
const FAILS = 'exit 1'
/** A fake installer: if it is asked to install Chromium, it creates a program with that name. */
const INSTALLS_CHROMIUM =
  `case "$*" in *chromium*) printf '#!/bin/sh\\n' > ${bin}/chromium; /bin/chmod +x ` +
  `${bin}/chromium;; esac`
/** Creates a program that records its call and then runs the script. */
const createProgram = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${bin}/calls\n${script}\n`, {
    mode: 0o755,
  })
const readCalls = () => readFileSync(join(bin, 'calls'), 'utf8')

/** Runs a function of `chromium.mjs` in its own process. Returns its result or its error. */
function runInChildProcess(
  environment: Record<string, string> = {},
  functionName = 'chromiumPath',
) {
  const script = `import { ${functionName} } from '${import.meta.dirname}/chromium.mjs'
    try { console.log(${functionName}()) } catch (error) { console.log(error.message) }`
  const env = { PATH: bin, PLAYWRIGHT_BROWSERS_PATH: folder, ...environment }
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  }).stdout.trim()
}

test('uses the first installed Chromium that can run', () => {
  createProgram('chromium', FAILS)
  createProgram('google-chrome', SUCCEEDS)
  expect(runInChildProcess()).toBe(join(bin, 'google-chrome'))
})

test('prefers CHROMIUM_PATH, and refuses it if it does not run', () => {
  createProgram('chromium', SUCCEEDS)
  createProgram('custom', SUCCEEDS)
  expect(runInChildProcess({ CHROMIUM_PATH: join(bin, 'custom') })).toBe(join(bin, 'custom'))
  expect(runInChildProcess({ CHROMIUM_PATH: join(bin, 'missing') })).toBe(
    `CHROMIUM_PATH is ${bin}/missing, which does not run.`,
  )
})

test('finds the headless shell unless CHROMIUM_PATH names another browser', () => {
  createProgram('chromium', SUCCEEDS)
  expect(runInChildProcess({}, 'findHeadlessShell')).toBe('undefined')
  createProgram('chromium-headless-shell', SUCCEEDS)
  expect(runInChildProcess({}, 'findHeadlessShell')).toBe(join(bin, 'chromium-headless-shell'))
  expect(runInChildProcess({ CHROMIUM_PATH: join(bin, 'chromium') }, 'findHeadlessShell')).toBe(
    'undefined',
  )
})

test.runIf(process.getuid?.() === 0)("as root, installs Debian's package", () => {
  createProgram('apt-get', INSTALLS_CHROMIUM)
  expect(runInChildProcess()).toBe(join(bin, 'chromium'))
  expect(readCalls()).toMatch(
    /apt-get .*update\napt-get .*install -y chromium chromium-headless-shell\n/,
  )
})

test.runIf(process.getuid?.() === 0)(
  'updates the package list if apt-get does not know the headless shell',
  () => {
    createProgram(
      'apt-get',
      `case "$*" in *update) : > ${bin}/updated;; *) test -e ${bin}/updated;; esac`,
    )
    runInChildProcess({}, 'installHeadlessShell')
    expect(readCalls()).toMatch(
      /^.* install -y chromium-headless-shell\n.* update\n.* install -y chromium-headless-shell\n$/,
    )
  },
)

test("installs Playwright's Chromium if apt-get fails", () => {
  createProgram('apt-get', FAILS)
  createProgram('npx', INSTALLS_CHROMIUM)
  expect(runInChildProcess()).toBe(join(bin, 'chromium'))
  expect(readCalls()).toContain('npx playwright install')
})

test('says what to do when nothing can be installed', () => {
  createProgram('npx', FAILS)
  expect(runInChildProcess()).toMatch(
    new RegExp(
      '^The tests need Chromium, and it could not be installed\\. Please install it .*, or' +
        ' set CHROMIUM_PATH to a Chromium\\.$',
      'm',
    ),
  )
})
