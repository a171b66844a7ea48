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

const RUNS = 'exit 0',
  FAILS = 'exit 1'
const INSTALLS =
  `case "$*" in *chromium*) printf '#!/bin/sh\\n' > ${bin}/chromium; /bin/chmod +x ` +
  `${bin}/chromium;; esac`
const program = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${bin}/calls\n${script}\n`, {
    mode: 0o755,
  })
const calls = () => readFileSync(join(bin, 'calls'), 'utf8')

function runChromiumPath(environment: Record<string, string> = {}, find = 'chromiumPath') {
  const script = `import { ${find} } from '${import.meta.dirname}/chromium.mjs'
    try { console.log(${find}()) } catch (error) { console.log(error.message) }`
  const env = { PATH: bin, PLAYWRIGHT_BROWSERS_PATH: folder, ...environment }
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  }).stdout.trim()
}

test('uses an installed Chromium that runs', () => {
  program('chromium', FAILS)
  program('google-chrome', RUNS)
  expect(runChromiumPath()).toBe(join(bin, 'google-chrome'))
})

test('prefers CHROMIUM_PATH, and refuses it if it does not run', () => {
  program('chromium', RUNS)
  program('mine', RUNS)
  expect(runChromiumPath({ CHROMIUM_PATH: join(bin, 'mine') })).toBe(join(bin, 'mine'))
  expect(runChromiumPath({ CHROMIUM_PATH: join(bin, 'nothing') })).toBe(
    `CHROMIUM_PATH is ${bin}/nothing, which does not run.`,
  )
})

test('finds the headless shell unless CHROMIUM_PATH names another browser', () => {
  program('chromium', RUNS)
  expect(runChromiumPath({}, 'findHeadlessShell')).toBe('undefined')
  program('chromium-headless-shell', RUNS)
  expect(runChromiumPath({}, 'findHeadlessShell')).toBe(join(bin, 'chromium-headless-shell'))
  expect(runChromiumPath({ CHROMIUM_PATH: join(bin, 'chromium') }, 'findHeadlessShell')).toBe(
    'undefined',
  )
})

test.runIf(process.getuid?.() === 0)("as root, installs Debian's package", () => {
  program('apt-get', INSTALLS)
  expect(runChromiumPath()).toBe(join(bin, 'chromium'))
  expect(calls()).toMatch(
    /apt-get .*update\napt-get .*install -y chromium chromium-headless-shell\n/,
  )
})

test.runIf(process.getuid?.() === 0)(
  'updates the package list if apt-get does not know the headless shell',
  () => {
    program(
      'apt-get',
      `case "$*" in *update) : > ${bin}/updated;; *) test -e ${bin}/updated;; esac`,
    )
    runChromiumPath({}, 'installHeadlessShell')
    expect(calls()).toMatch(
      /^.* install -y chromium-headless-shell\n.* update\n.* install -y chromium-headless-shell\n$/,
    )
  },
)

test("installs Playwright's Chromium if apt-get fails", () => {
  program('apt-get', FAILS)
  program('npx', INSTALLS)
  expect(runChromiumPath()).toBe(join(bin, 'chromium'))
  expect(calls()).toContain('npx playwright install')
})

test('says what to do when nothing can be installed', () => {
  program('npx', FAILS)
  expect(runChromiumPath()).toMatch(
    /^The tests need Chromium, and it could not be installed\. .* set CHROMIUM_PATH to a Chromium\.$/m,
  )
})
