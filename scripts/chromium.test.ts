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
const INSTALLS = `case "$*" in *chromium*) printf '#!/bin/sh\\n' > ${bin}/chromium; /bin/chmod +x ${bin}/chromium;; esac`
/** A program that notes how it was called. */
const program = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${bin}/calls\n${script}\n`, { mode: 0o755 })
const calls = () => readFileSync(join(bin, 'calls'), 'utf8')

/** What chromiumPath answers on a machine that has only the programs made above. */
function answer(environment: Record<string, string> = {}) {
  const script = `import { chromiumPath } from '${import.meta.dirname}/chromium.mjs'
    try { console.log(chromiumPath()) } catch (error) { console.log(error.message) }`
  const env = { PATH: bin, PLAYWRIGHT_BROWSERS_PATH: folder, ...environment }
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }).stdout.trim()
}

test('an installed one is taken, if it runs', () => {
  program('chromium', FAILS)
  program('google-chrome', RUNS)
  expect(answer()).toBe(join(bin, 'google-chrome'))
})

test('CHROMIUM_PATH goes before everything, and has to run', () => {
  program('chromium', RUNS)
  program('mine', RUNS)
  expect(answer({ CHROMIUM_PATH: join(bin, 'mine') })).toBe(join(bin, 'mine'))
  expect(answer({ CHROMIUM_PATH: join(bin, 'nothing') })).toBe(`CHROMIUM_PATH is ${bin}/nothing, and that does not run.`)
})

test.runIf(process.getuid?.() === 0)("root gets Debian's", () => {
  program('apt-get', INSTALLS)
  expect(answer()).toBe(join(bin, 'chromium'))
  expect(calls()).toMatch(/apt-get .*update\napt-get .*install -y chromium\n/)
})

test("where there is no Debian, Playwright's", () => {
  program('apt-get', FAILS)
  program('npx', INSTALLS)
  expect(answer()).toBe(join(bin, 'chromium'))
  expect(calls()).toContain('npx playwright install')
})

test('when nothing helps, it says what to do', () => {
  program('npx', FAILS)
  expect(answer()).toMatch(
    /^The tests need Chromium, and it could not be installed\. Please install it .*, or set CHROMIUM_PATH to one\.$/m,
  )
})
