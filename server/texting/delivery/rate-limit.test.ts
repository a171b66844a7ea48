import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { exampleStudent } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { breaker } from './breaker.ts'
import { type Claimed, claimTexts } from './claim.ts'
import { holdPace, slowDown } from './rate-limit.ts'
import { NO_PROVIDER, SendFailure } from '../providers/provider.ts'
import { sendText } from './send.ts'

const server = await startTestServer()
const other = await server.openServer()

beforeEach(() =>
  server.db.withoutDojo((tx) => tx.execute(sql`update sending_pace set share = 1, next_at = clock_timestamp() - interval '1 hour'`)),
)
const allowed = async ({ db }: Pick<typeof server, 'db'>) => (await db.withoutDojo((tx) => holdPace(tx, 40, 100))).perSecond
const nextAt = async () =>
  (await server.db.withoutDojo((tx) => tx.execute<{ next_at: string }>(sql`select next_at::text from sending_pace`))).rows[0]!.next_at
const secondsPass = (seconds: number) =>
  server.db.withoutDojo((tx) =>
    tx.execute(
      sql`update sending_pace set slowed_at = slowed_at - ${seconds} * interval '1 second', next_at = next_at - ${seconds} * interval '1 second'`,
    ),
  )

/** Sends one claimed text, which the provider refuses as too fast. */
async function refuseOne(retryAfterSeconds = 0) {
  const sensei = await server.createSensei()
  await sensei.post('/students', exampleStudent({ class_preferences: ['cedar_park'] }))
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' }))
    .body
  const claimed: Claimed[] = []
  // The turns of dojos that have nothing left come before it.
  while (claimed.length === 0) claimed.push(...(await server.db.withoutDojo((tx) => claimTexts(tx, 40, 1))).claimed)
  const provider = {
    ...NO_PROVIDER,
    send: () => Promise.reject(new SendFailure('slow-down', 'Too many texts at once', { status: 429, code: 20429, retryAfterSeconds })),
  }
  const before = await nextAt()
  await sendText({ db: server.db, provider, perSecond: 40, trouble: breaker() }, claimed[0]!, performance.now())
  const [text] = (await sensei.get(`/sms/batches/${batch_id}`)).body.texts
  return { before, text }
}

test('one refusal as too fast slows every server down a little, and stops none; the text is sent again', async () => {
  const { before, text } = await refuseOne()
  expect(await nextAt()).toBe(before)
  for (const each of [server, other]) {
    expect(await allowed(each)).toBeGreaterThanOrEqual(39)
    expect(await allowed(each)).toBeLessThanOrEqual(40)
  }
  expect(text.state).toBe('queued')
  expect((await server.db.withoutDojo((tx) => claimTexts(tx, 40, 1))).claimed).toHaveLength(1)
})

test('refusals on different servers add up, and the pace comes back with time', async () => {
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`update sending_pace set share = 0.1, slowed_at = clock_timestamp() + interval '1 hour'`),
  )
  await server.db.withoutDojo((tx) => slowDown(tx, 40))
  await server.db.withoutDojo((tx) => tx.execute(sql`update sending_pace set slowed_at = clock_timestamp() + interval '1 hour'`))
  await other.db.withoutDojo((tx) => slowDown(tx, 40))
  await server.db.withoutDojo((tx) => tx.execute(sql`update sending_pace set slowed_at = clock_timestamp() + interval '1 hour'`))
  for (const each of [server, other]) expect(await allowed(each)).toBeCloseTo(2)
  await secondsPass(3600 + 10)
  expect(await allowed(other)).toBe(40)
})

test('nothing leaves before the time that the provider names', async () => {
  await refuseOne(30)
  const { claimed, waitMs } = await other.db.withoutDojo((tx) => claimTexts(tx, 40, 100))
  expect(claimed).toEqual([])
  expect(waitMs).toBeGreaterThan(5000)
  await secondsPass(31)
  expect((await other.db.withoutDojo((tx) => claimTexts(tx, 40, 100))).claimed).not.toEqual([])
})

test('no more leave at a time than the pace allows, also in a table that PostgreSQL knows nothing of yet', async () => {
  const sensei = await server.createSensei()
  for (let number = 0; number < 30; number += 1) await sensei.post('/students', exampleStudent({ class_preferences: ['cedar_park'] }))
  await sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' })
  const { claimed, waitMs } = await server.db.withoutDojo((tx) => claimTexts(tx, 10, 100))
  expect(claimed.length).toBeLessThanOrEqual(2)
  expect(waitMs).toBeGreaterThan(0)
})
