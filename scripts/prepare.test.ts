import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { matchesLockfile } from './install.mjs'
import { hasStamp, writeStamp, packagesStamp, webStamp } from './stamps.mjs'

const root = mkdtempSync(join(tmpdir(), 'tatami-prepare-'))
afterAll(() => rmSync(root, { recursive: true }))

function write(file: string, content: string | object) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}
const lock = (version: string, optionalPackages = {}) => ({
  packages: {
    '': { dependencies: { zod: version } },
    'node_modules/zod': { version, integrity: `sha512-${version}` },
    ...optionalPackages,
  },
})
const forOtherPlatform = {
  'node_modules/other': { version: '1.0.0', optional: true, os: ['plan9'] },
}
const forThisPlatform = {
  'node_modules/native': {
    version: '1.0.0',
    optional: true,
    os: [process.platform],
    cpu: [process.arch],
  },
}

beforeEach(() => {
  rmSync(root, { recursive: true })
  write('package.json', { workspaces: [], dependencies: { zod: '1.0.0' } })
  write('package-lock.json', lock('1.0.0'))
  write('contract/classes/classes.ts', 'export {}')
  write('web/app/main.tsx', 'export {}')
  write('scripts/build.ts', 'export {}')
})

describe('stamps', () => {
  test('the packages are installed again only when the lockfile changes', () => {
    writeStamp(root, 'packages', packagesStamp(root))
    write('web/app/main.tsx', 'changed')
    expect(hasStamp(root, 'packages', packagesStamp(root))).toBe(true)
    write('package-lock.json', lock('1.0.1'))
    expect(hasStamp(root, 'packages', packagesStamp(root))).toBe(false)
  })

  test.each([
    'web/app/main.tsx',
    'web/new.css',
    'contract/classes/classes.ts',
    'scripts/build.ts',
    'package-lock.json',
  ])('the web app is built again when %s changes', (file) => {
    const stampBefore = webStamp(root)
    write(file, 'changed')
    expect(webStamp(root)).not.toBe(stampBefore)
  })

  test.each(['web/dist/index.html', 'web/main.test.tsx', 'scripts/test.ts', 'server/app.ts'])(
    'the web app is not built again when %s changes',
    (file) => {
      const stampBefore = webStamp(root)
      write(file, 'changed')
      expect(webStamp(root)).toBe(stampBefore)
    },
  )
})

describe('checks the installed packages against the lockfile:', () => {
  test('nothing is installed', () => expect(matchesLockfile(root)).toBe(false))

  test.each([
    ['everything is installed', lock('1.0.0'), true],
    ['another version is installed', lock('1.0.1'), false],
    [
      'an extra package is installed',
      lock('1.0.0', { 'node_modules/extra': { version: '1.0.0' } }),
      false,
    ],
    ['a package is missing', { packages: {} }, false],
  ])('%s', (_, installedLock, expected) => {
    write('node_modules/.package-lock.json', installedLock)
    expect(matchesLockfile(root)).toBe(expected)
  })

  test.each([
    ['another platform', forOtherPlatform, true],
    ['this platform', forThisPlatform, false],
  ])('an optional package for %s is missing', (_, optionalPackages, expected) => {
    write('package-lock.json', lock('1.0.0', optionalPackages))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    expect(matchesLockfile(root)).toBe(expected)
  })

  test('package.json differs from the lockfile', () => {
    write('node_modules/.package-lock.json', lock('1.0.0'))
    write('package.json', { workspaces: [], dependencies: { zod: '2.0.0' } })
    expect(matchesLockfile(root)).toBe(false)
  })
})

describe('the process lock', () => {
  const holder = (work: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
    import { withProcessLock } from '${join(import.meta.dirname, 'process-lock.mjs')}'
    import { spawn } from 'node:child_process'
    await withProcessLock('${root}', () => console.log('waiting'), async (lock) => { ${work} })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const nextLine = async ({ stdout }: ReturnType<typeof holder>) =>
    String((await once(stdout, 'data'))[0]).trim()
  const neverEnds = 'console.log("in"); setInterval(() => {}, 1000); await new Promise(() => {})'

  test('makes a second process wait until the first is killed', async () => {
    const first = holder(neverEnds)
    expect(await nextLine(first)).toBe('in')
    const second = holder('console.log("in")')
    expect(await nextLine(second)).toBe('waiting')
    first.kill('SIGKILL')
    expect(await nextLine(second)).toBe('in')
  })

  test('is still held by a child of a killed holder', async () => {
    const first = holder(
      `spawn('sleep', ['1'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] ` +
        `}).once('spawn', () => process.kill(process.pid, 'SIGKILL')); ${neverEnds}`,
    )
    await once(first, 'exit')
    const startedAt = performance.now()
    const second = holder('console.log("in")')
    expect(await nextLine(second)).toBe('waiting')
    expect(await nextLine(second)).toBe('in')
    expect(performance.now() - startedAt).toBeGreaterThan(500)
  })
})
