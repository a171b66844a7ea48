import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ADMIN, connectForFixtures, embeddedDatabaseUrl, exampleStudent } from './test/fixtures.ts'
import { type ApiClient, createFixtures } from './test/test-server.ts'
import {
  canSeeProcesses,
  findDatabaseServersUsing,
  killAll,
  findProcessesUsing,
} from './test/processes.ts'
import { httpTarget, endServers, findFreePort, runServer } from './test/real-server.ts'
import { startWriters } from './test/writers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
/** `npm test` runs two rounds. database-faults.test.ts kills the database alone. */
const ROUND_COUNT = process.env.LONG ? 100 : 2
const MAX_PAUSE_BEFORE_FAULT_MS = 400,
  MAX_RESTART_DELAY_MS = 1500,
  RECOVERY_TIMEOUT_MS = 60_000

/** What a round kills, at a random moment. */
const VICTIMS_BY_NAME = {
  'the server': { server: true },
  'the server and the database': { server: true, database: true },
  'the server and the postmaster': { server: true, postmaster: true },
  'the server and the database, and both again as they start,': {
    server: true,
    database: true,
    isKilledTwice: true,
  },
} as const
type Victim = { server?: true; postmaster?: true; database?: true; isKilledTwice?: true }
const VICTIMS = Object.entries<Victim>(VICTIMS_BY_NAME)
const rounds = Array.from(
  { length: ROUND_COUNT },
  (_, index) => [index + 1, ...VICTIMS[index % VICTIMS.length]!] as const,
)

describe.runIf(canSeeProcesses)('kill -9 in the middle of writing', () => {
  const base = mkdtempSync(join(tmpdir(), 'tatami-kill-'))
  chmodSync(base, 0o755)
  const dataDir = join(base, 'data')
  let startServer: () => ReturnType<typeof runServer>
  let server: ReturnType<typeof runServer>
  let sensei: ApiClient
  let writers: ReturnType<typeof startWriters>

  beforeAll(async () => {
    const port = await findFreePort()
    startServer = () =>
      runServer({
        DATA_DIR: dataDir,
        PORT: port,
        SUPER_ADMIN_EMAIL: ADMIN.email,
        SUPER_ADMIN_PASSWORD: ADMIN.password,
        REGISTRATIONS_PER_HOUR: '1000',
        SIGN_INS_PER_MINUTE: '1000',
      })
    server = startServer()
    await server.waitForOutput('Tatami is ready at')
    const db = connectForFixtures(embeddedDatabaseUrl(dataDir))
    const fixtures = createFixtures({ http: httpTarget(`http://127.0.0.1:${port}`), db })
    const instructor = await fixtures.createSensei()
    const { id: class_id } = await fixtures.createClass(instructor)
    await db.close()
    sensei = instructor
    const student_ids: string[] = []
    for (let students = 0; students < 3; students += 1)
      student_ids.push(
        (await sensei.post('/students', exampleStudent({ enrolled_classes: [class_id] }))).body
          .student.id,
      )
    writers = startWriters(sensei, { class_id, student_ids })
  })
  afterAll(async () => {
    await writers?.stop()
    await endServers()
    if (canSeeProcesses) killAll(findProcessesUsing(base))
    rmSync(base, { recursive: true, maxRetries: 5 })
  })

  async function kill(victim: Victim) {
    if (victim.database) killAll(findProcessesUsing(dataDir))
    if (victim.postmaster) killAll(findDatabaseServersUsing(dataDir))
    if (!victim.server) return
    server.child.kill('SIGKILL')
    await server.ended
    server = startServer()
  }
  async function waitForWrites() {
    const countBefore = writers.count()
    await expect
      .poll(() => writers.count(), { timeout: RECOVERY_TIMEOUT_MS })
      .toBeGreaterThan(countBefore + 10)
  }
  const findLostWrites = () => {
    const { postgres } = JSON.parse(
      readFileSync(join(dataDir, 'postgres-passwords.json'), 'utf8'),
    ) as { postgres: string }
    return writers.findLostWrites({
      host: join(dataDir, 'postgres-socket'),
      user: 'postgres',
      password: postgres,
      database: 'tatami',
    })
  }

  test.each(rounds)(
    'round %i: killing %s loses no acknowledged write',
    async (_round, _name, victim) => {
      await waitForWrites()
      await sleep(Math.random() * MAX_PAUSE_BEFORE_FAULT_MS)
      await kill(victim)
      if (victim.isKilledTwice) {
        await sleep(Math.random() * MAX_RESTART_DELAY_MS)
        await kill(victim)
      }
      await server.waitForOutput('Tatami is ready at')
      await waitForWrites()
      // Connections of a killed postmaster may respond until the new postmaster has started.
      expect(
        await vi.waitFor(findLostWrites, { timeout: RECOVERY_TIMEOUT_MS, interval: 50 }),
      ).toEqual([])
      await expect
        .poll(() => findDatabaseServersUsing(dataDir), { timeout: RECOVERY_TIMEOUT_MS })
        .toHaveLength(1)
    },
  )

  test('every call succeeds or gets 503, and the shutdown leaves no process running', async () => {
    await writers.stop()
    expect(writers.unexpectedResponses).toEqual([])
    expect(await findLostWrites()).toEqual([])
    const { attendance, payments, students } = writers.writtenNames
    console.log(
      `${ROUND_COUNT} rounds: ${attendance.size} marks, ${payments.size} payments and ` +
        `${students.size} students acknowledged, none lost`,
    )
    expect((await sensei.get('/students')).body.length).toBeGreaterThanOrEqual(students.size)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    await expect.poll(() => findProcessesUsing(base), { timeout: RECOVERY_TIMEOUT_MS }).toEqual([])
  })
})
