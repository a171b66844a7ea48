import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServerUnderLoad } from './test/faulty-server.ts'
import {
  canSeeProcesses,
  findDatabaseServersUsing,
  killAll,
  findProcessesUsing,
} from './test/processes.ts'
import { endServers } from './test/real-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
/** `npm test` runs only the first two faults. */
const ROUND_COUNT = process.env.LONG ? 40 : 2
const MAX_PAUSE_BEFORE_FAULT_MS = 300
const RECOVERY_TIMEOUT_MS = 60_000

/** Two faults kill PostgreSQL, and two shut it down: SIGINT ends its sessions first, and SIGQUIT is
 *  like a crash. */
const FAULTS: [name: string, causeFault: (dataDir: string) => void][] = [
  ['its postmaster is killed', (dataDir) => killAll(findDatabaseServersUsing(dataDir))],
  ['it is shut down', (dataDir) => killAll(findDatabaseServersUsing(dataDir), 'SIGINT')],
  [
    'all its processes are killed',
    (dataDir) =>
      killAll(findProcessesUsing(dataDir).filter(({ command }) => /postgres/.test(command))),
  ],
  [
    'it is shut down immediately',
    (dataDir) => killAll(findDatabaseServersUsing(dataDir), 'SIGQUIT'),
  ],
]
const rounds = Array.from(
  { length: ROUND_COUNT },
  (_, index) => [index + 1, ...FAULTS[index % FAULTS.length]!] as const,
)

describe.runIf(canSeeProcesses)('a database that fails during writes', () => {
  const base = mkdtempSync(join(tmpdir(), 'tatami-faults-'))
  chmodSync(base, 0o755)
  const dataDir = join(base, 'data')
  let serverUnderLoad: Awaited<ReturnType<typeof startServerUnderLoad>>
  let slowestRecoveryMs = 0

  beforeAll(async () => {
    serverUnderLoad = await startServerUnderLoad(dataDir)
  })
  afterAll(async () => {
    await serverUnderLoad?.writers.stop()
    await endServers()
    killAll(findProcessesUsing(base))
    rmSync(base, { recursive: true, maxRetries: 5 })
  })

  test.each(rounds)(
    'round %i: %s, and the server recovers without losing an acknowledged write',
    async (_round, _name, causeFault) => {
      const { waitForWrites, findLostWrites, expectAllResponded } = serverUnderLoad
      await waitForWrites()
      await sleep(Math.random() * MAX_PAUSE_BEFORE_FAULT_MS)
      const [oldPostmaster] = findDatabaseServersUsing(dataDir)
      const faultMs = performance.now()
      causeFault(dataDir)
      // Connections of a killed postmaster may stay open for a moment.
      const hasNewPostmaster = () =>
        findDatabaseServersUsing(dataDir).some(({ pid }) => pid !== oldPostmaster?.pid)
      await expect.poll(hasNewPostmaster, { timeout: RECOVERY_TIMEOUT_MS, interval: 10 }).toBe(true)
      await waitForWrites()
      slowestRecoveryMs = Math.max(slowestRecoveryMs, performance.now() - faultMs)
      expect(
        await vi.waitFor(findLostWrites, { timeout: RECOVERY_TIMEOUT_MS, interval: 50 }),
      ).toEqual([])
      expectAllResponded()
    },
  )

  test('loses no writes, answers every request, and leaves no processes behind', async () => {
    const { writers, findLostWrites, server } = serverUnderLoad
    await writers.stop()
    expect(await findLostWrites()).toEqual([])
    const { attendance, payments, students } = writers.writtenNames
    const { unavailableCount, slowestMs } = writers.responseStats
    console.log(
      `${ROUND_COUNT} rounds: ${attendance.size} marks, ${payments.size} payments and ` +
        `${students.size} students acknowledged, none lost; ` +
        `${unavailableCount} responses with 503, the slowest after ${Math.round(slowestMs)} ms, ` +
        `writes succeed again after at most ${Math.round(slowestRecoveryMs)} ms`,
    )
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    await expect.poll(() => findProcessesUsing(base), { timeout: RECOVERY_TIMEOUT_MS }).toEqual([])
  })
})
