import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isInstalledByHand } from './install.mjs'
import { bears, putStamp, stampOfPackages, stampOfWeb } from './stamps.mjs'

const root = mkdtempSync(join(tmpdir(), 'tatami-prepare-'))
afterAll(() => rmSync(root, { recursive: true }))

function write(file: string, content: string | object) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}
const lock = (version: string, more = {}) => ({
  packages: { '': { dependencies: { zod: version } }, 'node_modules/zod': { version, integrity: `sha512-${version}` }, ...more },
})
const forAnotherMachine = { 'node_modules/other': { version: '1.0.0', optional: true, os: ['plan9'] } }
const forThisMachine = { 'node_modules/native': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] } }

beforeEach(() => {
  rmSync(root, { recursive: true })
  write('package.json', { workspaces: [], dependencies: { zod: '1.0.0' } })
  write('package-lock.json', lock('1.0.0'))
  write('contract/classes.ts', 'export {}')
  write('web/app/main.tsx', 'export {}')
  write('scripts/build.ts', 'export {}')
})

describe('stamps', () => {
  test('the packages are installed anew when the lockfile or a package.json changes, and only then', () => {
    putStamp(root, 'packages', stampOfPackages(root))
    write('web/app/main.tsx', 'changed')
    expect(bears(root, 'packages', stampOfPackages(root))).toBe(true)
    write('package-lock.json', lock('1.0.1'))
    expect(bears(root, 'packages', stampOfPackages(root))).toBe(false)
  })

  test.each(['web/app/main.tsx', 'web/new.css', 'contract/classes.ts', 'scripts/build.ts', 'package-lock.json'])(
    'a change of %s builds the web app anew',
    (file) => {
      const before = stampOfWeb(root)
      write(file, 'changed')
      expect(stampOfWeb(root)).not.toBe(before)
    },
  )

  test.each(['web/dist/index.html', 'web/main.test.tsx', 'scripts/test.ts', 'server/app.ts'])('a change of %s does not', (file) => {
    const before = stampOfWeb(root)
    write(file, 'changed')
    expect(stampOfWeb(root)).toBe(before)
  })
})

describe('what npm ci by hand has installed counts as installed', () => {
  test('nothing there', () => expect(isInstalledByHand(root)).toBe(false))

  test.each([
    ['everything there', lock('1.0.0'), true],
    ['another version', lock('1.0.1'), false],
    ['one too many', lock('1.0.0', { 'node_modules/extra': { version: '1.0.0' } }), false],
    ['one missing', { packages: {} }, false],
  ])('%s', (_, installed, counts) => {
    write('node_modules/.package-lock.json', installed)
    expect(isInstalledByHand(root)).toBe(counts)
  })

  test.each([
    ['another machine', forAnotherMachine, true],
    ['this machine', forThisMachine, false],
  ])('an optional package for %s missing', (_, more, counts) => {
    write('package-lock.json', lock('1.0.0', more))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    expect(isInstalledByHand(root)).toBe(counts)
  })

  test('not while package.json asks for more than the lockfile knows', () => {
    write('node_modules/.package-lock.json', lock('1.0.0'))
    write('package.json', { workspaces: [], dependencies: { zod: '2.0.0' } })
    expect(isInstalledByHand(root)).toBe(false)
  })
})

describe('one at a time', () => {
  const holder = (work: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
    import { oneAtATime } from '${join(import.meta.dirname, 'one-at-a-time.mjs')}'
    import { spawn } from 'node:child_process'
    await oneAtATime('${root}', () => console.log('waiting'), async (lock) => { ${work} })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const says = async ({ stdout }: ReturnType<typeof holder>) => String((await once(stdout, 'data'))[0]).trim()
  const forEver = 'console.log("in"); setInterval(() => {}, 1000); await new Promise(() => {})'

  test('the second waits until the first is killed, however that happens', async () => {
    const first = holder(forEver)
    expect(await says(first)).toBe('in')
    const second = holder('console.log("in")')
    expect(await says(second)).toBe('waiting')
    first.kill('SIGKILL')
    expect(await says(second)).toBe('in')
  })

  test('a child of a killed holder still holds', async () => {
    const first = holder(
      `spawn('sleep', ['1'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] }).once('spawn', () => process.kill(process.pid, 'SIGKILL')); ${forEver}`,
    )
    await once(first, 'exit')
    const from = performance.now()
    const second = holder('console.log("in")')
    expect(await says(second)).toBe('waiting')
    expect(await says(second)).toBe('in')
    expect(performance.now() - from).toBeGreaterThan(500)
  })
})
