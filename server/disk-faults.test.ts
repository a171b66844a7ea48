import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServerUnderLoad } from './test/faulty-server.ts'
import { canSeeProcesses, killAll, findProcessesUsing } from './test/processes.ts'
import { endServers, findFreePort, runServer } from './test/real-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const isLong = Boolean(process.env.LONG)
const RECOVERY_TIMEOUT_MS = 60_000,
  MEGABYTE = 1024 * 1024
/** Slightly more than a new database and its write-ahead log need. */
const DISK_SIZE = '220m'

const base = mkdtempSync(join(tmpdir(), 'tatami-disk-'))
chmodSync(base, 0o755)
const disk = join(base, 'disk')
mkdirSync(disk)
/** Mounts a small disk in memory. Only root may do this. */
const mount = (...options: string[]) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', disk]).status === 0
const unmount = () => execFileSync('umount', ['--lazy', disk])
const canMount = canSeeProcesses && mount('size=1m')
if (canMount) unmount()

afterAll(async () => {
  await endServers()
  killAll(findProcessesUsing(base))
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})

/** Returns a function that frees the space again. */
function fillDisk(): () => void {
  const path = join(disk, 'filler'),
    file = openSync(path, 'w')
  for (const size of [MEGABYTE, 4096]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1))
    } catch {
      /* There is less free space than this now. */
    }
  }
  closeSync(file)
  return () => rmSync(path, { force: true })
}

describe.runIf(canMount)('the server on a full disk', () => {
  let serverUnderLoad: Awaited<ReturnType<typeof startServerUnderLoad>>
  beforeAll(async () => {
    mount(`size=${DISK_SIZE}`, 'mode=755')
    serverUnderLoad = await startServerUnderLoad(join(disk, 'data'))
  })
  afterAll(async () => {
    await serverUnderLoad?.writers.stop()
    await endServers()
    killAll(findProcessesUsing(disk))
    unmount()
  })

  test('refuses writes with 503, loses no acknowledged write, and recovers', async () => {
    const { writers, waitForWrites, findLostWrites, expectAllResponded, sensei } = serverUnderLoad
    await waitForWrites()
    const stats = writers.responseStats
    const countBefore = stats.unavailableCount
    const freeSpace = fillDisk()
    await expect
      .poll(() => stats.unavailableCount, { timeout: RECOVERY_TIMEOUT_MS })
      .toBeGreaterThan(countBefore)
    expect([200, 503]).toContain((await sensei.get('/students')).status)
    freeSpace()
    const backMs = await waitForWrites()
    expect(await findLostWrites()).toEqual([])
    expectAllResponded()
    console.log(
      `full disk: ${stats.unavailableCount - countBefore} responses with 503, the slowest after ` +
        `${Math.round(stats.slowestMs)} ms, back after ${Math.round(backMs)} ms`,
    )
  })

  test.runIf(isLong)('loses no acknowledged write when PostgreSQL crashes', async () => {
    const { writers, waitForWrites, findLostWrites, expectAllResponded, superuser, ready } =
      serverUnderLoad
    await waitForWrites()
    const freeSpace = fillDisk()
    // Without space for the next segment of its log, PostgreSQL crashes and cannot restart.
    const client = new pg.Client(superuser)
    client.on('error', () => {})
    await client.connect()
    for (let switches = 0; switches < 20; switches += 1) {
      const isGone = await client
        .query('select pg_switch_wal(), pg_logical_emit_message(false, $1, repeat($1, 1000))', [
          'x',
        ])
        .then(
          () => false,
          () => true,
        )
      if (isGone) break
    }
    await client.end().catch(() => {})
    await expect.poll(ready, { timeout: RECOVERY_TIMEOUT_MS }).toBe(503)
    freeSpace()
    const backMs = await waitForWrites()
    expect(
      await vi.waitFor(findLostWrites, { timeout: RECOVERY_TIMEOUT_MS, interval: 50 }),
    ).toEqual([])
    expectAllResponded()
    console.log(
      'no space for the log: the slowest response after ' +
        `${Math.round(writers.responseStats.slowestMs)} ms, back after ${Math.round(backMs)} ms`,
    )
  })

  test.runIf(isLong)(
    'is not ready with folders that cannot be written to, and then recovers automatically',
    async () => {
      const { ready, waitForWrites, findLostWrites, expectAllResponded } = serverUnderLoad
      const folders = execFileSync('find', [join(disk, 'data/postgres'), '-type', 'd'], {
        encoding: 'utf8',
      })
        .trim()
        .split('\n')
      for (const folder of folders) chmodSync(folder, 0o500)
      await expect.poll(ready, { timeout: RECOVERY_TIMEOUT_MS }).toBe(503)
      for (const folder of folders) chmodSync(folder, 0o700)
      await expect.poll(ready, { timeout: RECOVERY_TIMEOUT_MS }).toBe(200)
      await waitForWrites()
      expect(await findLostWrites()).toEqual([])
      expectAllResponded()
    },
  )
})

describe.runIf(canMount)('the server on a read-only disk', () => {
  afterAll(unmount)

  test('fails to start with one line that names the cause', async () => {
    mount('size=1m', 'ro')
    const { code, lines } = await runServer({
      DATA_DIR: join(disk, 'data'),
      PORT: await findFreePort(),
    }).ended
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [expect.stringMatching(/cannot be used: EROFS: read-only file system/)],
    })
    expect(existsSync(join(disk, 'data'))).toBe(false)
  })
})
