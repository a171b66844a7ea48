import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServerUnderLoad } from './test/faulty-server.ts'
import { canSeeProcesses, databaseServersOn, killAll, processesOn } from './test/processes.ts'
import { endServers } from './test/real-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
/** In `npm test` it is killed once and stopped once. */
const ROUNDS = process.env.LONG ? 40 : 2
const MOMENT_MS = 300,
  BACK_WITHIN_MS = 60_000

/** Two faults kill PostgreSQL; two stop it (fast ends sessions; immediate is like a crash). */
const FAULTS: [name: string, strike: (dataDir: string) => void][] = [
  ['its postmaster is killed', (dataDir) => killAll(databaseServersOn(dataDir))],
  ['it is stopped', (dataDir) => killAll(databaseServersOn(dataDir), 'SIGINT')],
  [
    'all its processes are killed',
    (dataDir) => killAll(processesOn(dataDir).filter(({ command }) => /postgres/.test(command))),
  ],
  ['it is stopped at once', (dataDir) => killAll(databaseServersOn(dataDir), 'SIGQUIT')],
]
const rounds = Array.from(
  { length: ROUNDS },
  (_, i) => [i + 1, ...FAULTS[i % FAULTS.length]!] as const,
)

describe.runIf(canSeeProcesses)('a database that goes away in the middle of writing', () => {
  const base = mkdtempSync(join(tmpdir(), 'tatami-faults-'))
  chmodSync(base, 0o755)
  const dataDir = join(base, 'data')
  let writtenServer: Awaited<ReturnType<typeof startServerUnderLoad>>
  let slowestBackMs = 0

  beforeAll(async () => {
    writtenServer = await startServerUnderLoad(dataDir)
  })
  afterAll(async () => {
    await writtenServer?.writers.stop()
    await endServers()
    killAll(processesOn(base))
    rmSync(base, { recursive: true, maxRetries: 5 })
  })

  test.each(rounds)(
    'round %i: %s, and the same server goes on with all that it has answered',
    async (_, __, strike) => {
      const { writesGoOn, findMissing, expectAllAnswered } = writtenServer
      await writesGoOn()
      await sleep(Math.random() * MOMENT_MS)
      const [struck] = databaseServersOn(dataDir),
        startMs = performance.now()
      strike(dataDir)
      // Sessions of a killed postmaster may go on for a moment.
      const isAnother = () => databaseServersOn(dataDir).some(({ pid }) => pid !== struck?.pid)
      await expect.poll(isAnother, { timeout: BACK_WITHIN_MS, interval: 10 }).toBe(true)
      await writesGoOn()
      slowestBackMs = Math.max(slowestBackMs, performance.now() - startMs)
      expect(await vi.waitFor(findMissing, { timeout: BACK_WITHIN_MS, interval: 50 })).toEqual([])
      expectAllAnswered()
    },
  )

  test('nothing was lost, no call hung, and the end leaves nothing running', async () => {
    const { writers, findMissing, server } = writtenServer
    await writers.stop()
    expect(await findMissing()).toEqual([])
    const { attendance, payments, students } = writers.written,
      { away, slowestMs } = writers.answers
    console.log(
      `${ROUNDS} rounds: ${attendance.size} marks, ${payments.size} payments and ` +
        `${students.size} students answered, all there; ` +
        `${away} answers of 503, the slowest answer after ${Math.round(slowestMs)} ms, ` +
        `writes back within ${Math.round(slowestBackMs)} ms`,
    )
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    await expect.poll(() => processesOn(base), { timeout: BACK_WITHIN_MS }).toEqual([])
  })
})
