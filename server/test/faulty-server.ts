import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  ADMIN,
  connectForFixtures,
  embeddedDatabaseUrl,
  exampleStudent,
  readSuperuserPassword,
} from './fixtures.ts'
import { httpTarget, findFreePort, runServer } from './real-server.ts'
import { createFixtures } from './test-server.ts'
import { startWriters } from './writers.ts'

const MAX_OUTAGE_MS = 60_000
/** Half of the web app's timeout, which is 8 seconds. */
const MAX_RESPONSE_MS = 4_000
const STUDENT_COUNT = 3

/** Starts the real server with the data in `dataDir`, and keeps writing to one dojo. */
export async function startServerUnderLoad(dataDir: string) {
  // PostgreSQL may run as another user, who must be able to open the folder.
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const port = await findFreePort()
  const server = runServer({
    DATA_DIR: dataDir,
    PORT: port,
    SUPER_ADMIN_EMAIL: ADMIN.email,
    SUPER_ADMIN_PASSWORD: ADMIN.password,
    REGISTRATIONS_PER_HOUR: '1000',
    SIGN_INS_PER_MINUTE: '1000',
  })
  await server.waitForOutput('Tatami is ready at')
  const url = `http://127.0.0.1:${port}`
  const db = connectForFixtures(embeddedDatabaseUrl(dataDir))
  const fixtures = createFixtures({ http: httpTarget(url), db })
  const sensei = await fixtures.createSensei()
  const { id: class_id } = await fixtures.createClass(sensei)
  await db.close()
  const student_ids: string[] = []
  for (let index = 0; index < STUDENT_COUNT; index += 1)
    student_ids.push(
      (await sensei.post('/students', exampleStudent({ enrolled_classes: [class_id] }))).body
        .student.id,
    )
  const writers = startWriters(sensei, { class_id, student_ids })

  const superuser = {
    host: join(dataDir, 'postgres-socket'),
    user: 'postgres',
    password: readSuperuserPassword(dataDir),
    database: 'tatami',
  }
  return {
    server,
    sensei,
    writers,
    superuser,
    ready: async () =>
      (await fixtures.anonymous.get('/health/ready').catch(() => ({ status: 0 }))).status,
    /** Waits until writes succeed again. Returns how many milliseconds that took. */
    waitForWrites: async () => {
      const startedAt = performance.now()
      const countBefore = writers.count()
      await expect
        .poll(() => writers.count(), { timeout: MAX_OUTAGE_MS, interval: 10 })
        .toBeGreaterThan(countBefore)
      const outageMs = performance.now() - startedAt
      await expect
        .poll(() => writers.count(), { timeout: MAX_OUTAGE_MS })
        .toBeGreaterThan(countBefore + 10)
      return outageMs
    },
    findLostWrites: () => writers.findLostWrites(superuser),
    /** Checks that the same process responded to every call in time, with success or a 503. */
    expectAllResponded: () => {
      expect(writers.unexpectedResponses).toEqual([])
      expect(writers.responseStats.missingCount).toBe(0)
      expect(writers.responseStats.slowestMs).toBeLessThan(MAX_RESPONSE_MS)
      expect(server.child.exitCode).toBeNull()
    },
  }
}
