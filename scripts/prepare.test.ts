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

describe('whether the installed packages match the lockfile:', () => {
  test('nothing is installed: false', () => expect(matchesLockfile(root)).toBe(false))

  test.each([
    ['everything is installed', true, lock('1.0.0')],
    ['another version is installed', false, lock('1.0.1')],
    [
      'an extra package is installed',
      false,
      lock('1.0.0', { 'node_modules/extra': { version: '1.0.0' } }),
    ],
    ['a package is missing', false, { packages: {} }],
  ])('%s: %s', (_, expected, installedLock) => {
    write('node_modules/.package-lock.json', installedLock)
    expect(matchesLockfile(root)).toBe(expected)
  })

  test.each([
    ['another platform', true, forOtherPlatform],
    ['this platform', false, forThisPlatform],
  ])('an optional package for %s is missing: %s', (_, expected, optionalPackages) => {
    write('package-lock.json', lock('1.0.0', optionalPackages))
    write('node_modules/.package-lock.json', lock('1.0.0'))
    expect(matchesLockfile(root)).toBe(expected)
  })

  test('package.json differs from the lockfile: false', () => {
    write('node_modules/.package-lock.json', lock('1.0.0'))
    write('package.json', { workspaces: [], dependencies: { zod: '2.0.0' } })
    expect(matchesLockfile(root)).toBe(false)
  })
})

describe('the process lock', () => {
  const startHolder = (work: string) =>
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
  const nextLine = async ({ stdout }: ReturnType<typeof startHolder>) =>
    String((await once(stdout, 'data'))[0]).trim()
  const NEVER_ENDS = 'console.log("in"); setInterval(() => {}, 1000); await new Promise(() => {})'

  test('makes a second process wait until the first is killed', async () => {
    const firstHolder = startHolder(NEVER_ENDS)
    expect(await nextLine(firstHolder)).toBe('in')
    const secondHolder = startHolder('console.log("in")')
    expect(await nextLine(secondHolder)).toBe('waiting')
    firstHolder.kill('SIGKILL')
    expect(await nextLine(secondHolder)).toBe('in')
  })

  test('is still held by a child of a killed process', async () => {
    const firstHolder = startHolder(
      `spawn('sleep', ['1'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] ` +
        `}).once('spawn', () => process.kill(process.pid, 'SIGKILL')); ${NEVER_ENDS}`,
    )
    await once(firstHolder, 'exit')
    const startedAt = performance.now()
    const secondHolder = startHolder('console.log("in")')
    expect(await nextLine(secondHolder)).toBe('waiting')
    expect(await nextLine(secondHolder)).toBe('in')
    expect(performance.now() - startedAt).toBeGreaterThan(500)
  })
})
