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
const createLockfile = (version: string, optionalPackages = {}) => ({
  packages: {
    '': { dependencies: { zod: version } },
    'node_modules/zod': { version, integrity: `sha512-${version}` },
    ...optionalPackages,
  },
})
const packageForOtherPlatform = {
  'node_modules/other': { version: '1.0.0', optional: true, os: ['plan9'] },
}
const packageForThisPlatform = {
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
  write('package-lock.json', createLockfile('1.0.0'))
  write('contract/classes/classes.ts', 'export {}')
  write('web/app/main.tsx', 'export {}')
  write('scripts/build.ts', 'export {}')
})

describe('stamps', () => {
  test('the packages are installed again only when the lockfile changes', () => {
    writeStamp(root, 'packages', packagesStamp(root))
    write('web/app/main.tsx', 'changed')
    expect(hasStamp(root, 'packages', packagesStamp(root))).toBe(true)
    write('package-lock.json', createLockfile('1.0.1'))
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

describe('the installed packages', () => {
  test('match the lockfile if it lists the same packages', () => {
    write('node_modules/.package-lock.json', createLockfile('1.0.0'))
    expect(matchesLockfile(root)).toBe(true)
  })

  test('do not match the lockfile if nothing is installed', () =>
    expect(matchesLockfile(root)).toBe(false))

  test.each([
    ['another version is installed', createLockfile('1.0.1')],
    [
      'an extra package is installed',
      createLockfile('1.0.0', { 'node_modules/extra': { version: '1.0.0' } }),
    ],
    ['a package is missing', { packages: {} }],
  ])('do not match the lockfile if %s', (_, installedLock) => {
    write('node_modules/.package-lock.json', installedLock)
    expect(matchesLockfile(root)).toBe(false)
  })

  test('may lack an optional package for another platform, but not for this one', () => {
    write('node_modules/.package-lock.json', createLockfile('1.0.0'))
    write('package-lock.json', createLockfile('1.0.0', packageForOtherPlatform))
    expect(matchesLockfile(root)).toBe(true)
    write('package-lock.json', createLockfile('1.0.0', packageForThisPlatform))
    expect(matchesLockfile(root)).toBe(false)
  })

  test('do not match the lockfile if package.json has another version', () => {
    write('node_modules/.package-lock.json', createLockfile('1.0.0'))
    write('package.json', { workspaces: [], dependencies: { zod: '2.0.0' } })
    expect(matchesLockfile(root)).toBe(false)
  })
})

describe('the process lock', () => {
  /** Starts a process that runs `code` while it has the lock. */
  const startLockHolder = (code: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
    import { withProcessLock } from '${join(import.meta.dirname, 'process-lock.mjs')}'
    import { spawn } from 'node:child_process'
    await withProcessLock('${root}', () => console.log('waiting'), async (lock) => { ${code} })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const nextLine = async ({ stdout }: ReturnType<typeof startLockHolder>) =>
    String((await once(stdout, 'data'))[0]).trim()
  const WAIT_FOREVER = 'setInterval(() => {}, 1000); await new Promise(() => {})'

  test('makes a second process wait until the first is killed', async () => {
    const firstHolder = startLockHolder(`console.log("in"); ${WAIT_FOREVER}`)
    expect(await nextLine(firstHolder)).toBe('in')
    const secondHolder = startLockHolder('console.log("in")')
    expect(await nextLine(secondHolder)).toBe('waiting')
    firstHolder.kill('SIGKILL')
    expect(await nextLine(secondHolder)).toBe('in')
  })

  test('makes a second process wait until the child of a killed process ends', async () => {
    const firstHolder = startLockHolder(
      `const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] })
      child.once('spawn', () => {
        console.log(child.pid)
        process.kill(process.pid, 'SIGKILL')
      })
      ${WAIT_FOREVER}`,
    )
    const childPid = Number(await nextLine(firstHolder))
    const secondHolder = startLockHolder('console.log("in")')
    expect(await nextLine(secondHolder)).toBe('waiting')
    process.kill(childPid)
    expect(await nextLine(secondHolder)).toBe('in')
  })
})
