import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS, type CallerRole, type Endpoint } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCodes } from '../kiosk/codes.ts'
import { findSettings } from '../kiosk/settings.ts'
import { now } from '../lib/clock.ts'
import { signInAs } from './fixtures.ts'
import { calendarSecret, createLargeDojoRows } from './large-dojo.ts'
import { type LargeDojo, createLargeRequests } from './large-requests.ts'
import type { Measurement, MeasuredWork } from './measured-server.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import { createSampleDojo } from './sample-rows.ts'
import { startTestServer, TEST_SETTINGS } from './test-server.ts'
import { injectOptions } from './valid-requests.ts'

/** How long a request may block other requests, in milliseconds of processor time. */
const MAX_BLOCK_MS = 100
/** How long the calibration takes on our reference computer. Slower computers get more time. */
const CALIBRATION_MS = 100
/** Garbage collection or loading a module may slow down a single measurement. */
const MAX_ATTEMPTS = 4
/** Calls that need a secret from an email or a device are refused. */
const MAX_REFUSED_SHARE = 0.25

const server = await startTestServer()
const ids = await createSampleDojo(server.db)
await createLargeDojoRows(server.db, ids)
await prepareDatabase()
const largeDojo = await readLargeDojo()
const superAdmin = await server.signInSuperAdmin()
const TOKENS: Record<CallerRole, string> = {
  instructor: await signInAs(server.db, ids.instructor_id),
  guardian: await signInAs(server.db, ids.guardian_id),
  student: await signInAs(server.db, ids.student_id),
  'super-admin': superAdmin.token,
  kiosk: sampleKioskToken(ids),
}
const measuredServer = await startMeasuredServer()
afterAll(() => measuredServer.disconnect())

/** Raises the daily limit of texts. Updates PostgreSQL's statistics, so that it plans queries for a
 *  large dojo. */
async function prepareDatabase() {
  const owner = new pg.Client({ connectionString: server.adminUrl })
  await owner.connect()
  await owner.query('set role tatami_owner')
  await owner.query('update system_config set daily_message_limit = 100000')
  await owner.query('analyze')
  await owner.end()
}

async function readLargeDojo(): Promise<LargeDojo> {
  return server.db.inDojo(ids.dojo_id, async (tx) => {
    const readIds = async (table: string) =>
      (await tx.execute<{ id: string }>(sql.raw(`select id from ${table}`))).rows.map(
        ({ id }) => id,
      )
    const settings = await findSettings(tx)
    const [code] = await makeCodes(tx, settings!.secret, [ids.guardian_id])
    return {
      ids,
      allIds: { student_id: await readIds('students'), class_id: await readIds('classes') },
      code: code!.code,
    }
  })
}

async function startMeasuredServer(): Promise<ChildProcess> {
  const child = fork(
    new URL('measured-server.ts', import.meta.url),
    [server.databaseUrl, JSON.stringify(TEST_SETTINGS)],
    { execArgv: ['--expose-gc'] },
  )
  await once(child, 'message')
  return child
}

async function measure(work: MeasuredWork): Promise<Measurement> {
  measuredServer.send(work)
  const [measurement] = (await once(measuredServer, 'message')) as [Measurement]
  return measurement
}

/** Measures how long the work blocks other requests. Repeats slow measurements, and returns the
 *  best one, adjusted for the speed of this computer. */
async function measureLongestBlock(work: MeasuredWork): Promise<Measurement> {
  let bestMeasurement = await measure(work)
  for (
    let attempt = 1;
    attempt < MAX_ATTEMPTS && bestMeasurement.blockMs > MAX_BLOCK_MS;
    attempt += 1
  ) {
    const { blockMs: calibrationMs } = await measure({ kind: 'calibration' })
    const slowness = Math.max(1, calibrationMs / CALIBRATION_MS)
    const measurement = await measure(work)
    if (measurement.blockMs / slowness < bestMeasurement.blockMs)
      bestMeasurement = { ...measurement, blockMs: measurement.blockMs / slowness }
  }
  return bestMeasurement
}

const measuredCalls: { name: string; blockMs: number; isAccepted: boolean }[] = []

async function measureCall(endpoint: Endpoint, token: string | undefined): Promise<number> {
  let longestMs = 0
  let isAccepted = false
  for (const parts of createLargeRequests(endpoint, largeDojo)) {
    const options = {
      ...injectOptions(endpoint, parts),
      headers: token ? { authorization: `Bearer ${token}` } : {},
    }
    const { status, blockMs } = await measureLongestBlock({
      kind: 'request',
      options,
      dojoId: ids.dojo_id,
    })
    longestMs = Math.max(longestMs, blockMs)
    isAccepted ||= status < 400
    if (isAccepted) break
  }
  measuredCalls.push({
    name: `${endpoint.method} ${endpoint.path}`,
    blockMs: longestMs,
    isAccepted,
  })
  return longestMs
}

/** Leaves out the student if other roles may make the call, because those roles read more rows. */
const tokensFor = ({ access }: Endpoint): (string | undefined)[] => {
  if (access === 'public') return [undefined]
  if (access === 'kiosk') return [TOKENS.kiosk]
  const roles = ROLES_BY_ACCESS[access].filter(
    (role) => role !== 'super-admin' || access !== 'signed-in',
  )
  return roles
    .filter((role) => role !== 'student' || roles.length === 1)
    .map((role) => TOKENS[role])
}

const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

describe('with 2,000 students, 300 classes and 500 children of one guardian', () => {
  test.each(calls)('%s does not block other requests', async (_, endpoint) => {
    for (const token of tokensFor(endpoint))
      expect(await measureCall(endpoint, token)).toBeLessThan(MAX_BLOCK_MS)
  })

  test.each(['instructor_id', 'guardian_id'] as const)(
    'the private calendar of %s does not block other requests',
    async (idField) => {
      const options = { url: `/calendar/${calendarSecret(ids.dojo_id, ids[idField])}.ics` }
      const { status, blockMs } = await measureLongestBlock({
        kind: 'request',
        options,
        dojoId: ids.dojo_id,
      })
      expect(status).toBe(200)
      expect(blockMs).toBeLessThan(MAX_BLOCK_MS)
    },
  )

  test('the jobs at the end of a month do not block other requests', async () => {
    const today = now()
    const nextMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1, 18))
    const { blockMs } = await measureLongestBlock({ kind: 'jobs', at: nextMonth.toISOString() })
    expect(blockMs).toBeLessThan(MAX_BLOCK_MS)
  })

  test('most of the measured requests were accepted', () => {
    const refusedCalls = measuredCalls.filter(({ isAccepted }) => !isAccepted)
    expect(refusedCalls.length / measuredCalls.length).toBeLessThan(MAX_REFUSED_SHARE)
  })
})
