import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { sessions } from '../accounts/tables.ts'
import { moveClock, now } from '../lib/clock.ts'
import { runDueJobs } from '../schedule.ts'
import { startTestServer } from '../test/test-server.ts'
import { checkClocks, type ClockLog, judgeClocks, whileClocksAgree } from './trusted-clock.ts'

const server = await startTestServer()
const MINUTE_MS = 60_000
let clockOffsetMs = 0
const advanceClock = (ms: number) => {
  clockOffsetMs += ms
  moveClock(ms)
}
const setLastSeen = (time: Date | null) =>
  server.db.withoutDojo((tx) =>
    tx.execute(sql`update system_config set clock_seen_at = ${time?.toISOString() ?? null}`),
  )
afterEach(async () => {
  advanceClock(-clockOffsetMs)
  await setLastSeen(null)
})

const NOON = Date.parse('2027-03-10T12:00:00Z')
test.each([
  ['agree', { server: NOON, lastSeen: NOON - MINUTE_MS }, true],
  ['differ by a little', { server: NOON + 4 * MINUTE_MS, lastSeen: null }, true],
  [
    'differ because the server is minutes ahead',
    { server: NOON + 6 * MINUTE_MS, lastSeen: null },
    false,
  ],
  [
    'differ because the server is minutes behind',
    { server: NOON - 6 * MINUTE_MS, lastSeen: null },
    false,
  ],
  ['agree after six days', { server: NOON, lastSeen: NOON - 6 * DAY_MS }, true],
  ['have both jumped ahead', { server: NOON, lastSeen: NOON - 200 * DAY_MS }, false],
  ['have both gone back', { server: NOON, lastSeen: NOON + 3 * DAY_MS }, true],
] as const)('decides whether to trust clocks that %s', (_, clocks, isTrusted) => {
  expect(judgeClocks({ database: NOON, ...clocks }).trusted).toBe(isTrusted)
})

test('a clock that is 200 days ahead does not end any session', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const countSessions = () =>
    server.db.withoutDojo((tx) => tx.$count(sessions, eq(sessions.account_id, student.id)))
  const log = { paused: vi.fn<ClockLog['paused']>(), resumed: vi.fn<ClockLog['resumed']>() }
  const runJobs = whileClocksAgree(server.db, log, () =>
    runDueJobs(server.db, (error) => {
      throw error
    }),
  )
  await runJobs()
  const initialCount = await countSessions()
  advanceClock(200 * DAY_MS)
  await runJobs()
  await runJobs()
  expect(log.paused).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ trusted: false, reason: 'differs' }),
  )
  // A sign-in during this time does not end any session either.
  expect((await server.signIn(student.email)).token).toEqual(expect.any(String))
  advanceClock(-clockOffsetMs)
  await runJobs()
  expect(log.resumed).toHaveBeenCalledOnce()
  expect((await student.get('/profile')).status).toBe(200)
  expect(await countSessions()).toBe(initialCount + 1)
})

test('does not trust a clock after a pause of months until the operator confirms it', async () => {
  await setLastSeen(new Date(now().getTime() - 60 * DAY_MS))
  expect(await server.db.withoutDojo(checkClocks)).toMatchObject({
    trusted: false,
    reason: 'jumped',
  })
  await setLastSeen(now())
  expect(await server.db.withoutDojo(checkClocks)).toEqual({ trusted: true })
})

test('stores the time, so that it detects a later jump', async () => {
  await server.db.withoutDojo(checkClocks)
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ is_stored: boolean }>(
      sql`select clock_seen_at > now() - interval '1 minute' as is_stored from system_config`,
    ),
  )
  expect(rows).toEqual([{ is_stored: true }])
})
