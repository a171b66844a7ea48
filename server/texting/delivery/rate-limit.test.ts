import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { exampleStudent } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { NO_PROVIDER, SendFailure } from '../providers/provider.ts'
import { type ClaimedText, claimNextTexts } from './queue.ts'
import {
  createCircuitBreaker,
  calculateCurrentShare,
  rateLimiter,
  calculateShareAfterRejection,
} from './rate-limit.ts'
import { sendText } from './worker.ts'

/** The configured rate */
const PER_SECOND = 40
const server = await startTestServer()
const otherServer = await server.openServer()

beforeEach(() =>
  server.db.withoutDojo((tx) =>
    tx.execute(
      sql`update sending_rate set share = 1, next_at = clock_timestamp() - interval '1 hour'`,
    ),
  ),
)
const readAllowedRate = async ({ db }: Pick<typeof server, 'db'>) =>
  (await db.withoutDojo((tx) => rateLimiter.acquire(tx, PER_SECOND, 100))).allowedPerSecond
const readNextAt = async () =>
  (
    await server.db.withoutDojo((tx) =>
      tx.execute<{ next_at: string }>(sql`select next_at::text from sending_rate`),
    )
  ).rows[0]!.next_at
const letSecondsPass = (seconds: number) =>
  server.db.withoutDojo((tx) =>
    tx.execute(
      sql`update sending_rate set
        slowed_at = slowed_at - ${seconds} * interval '1 second',
        next_at = next_at - ${seconds} * interval '1 second'`,
    ),
  )

/** Sends one claimed text, which the provider rejects because it came too fast. */
async function rejectText(retryAfterSeconds = 0) {
  const sensei = await server.createSensei()
  await sensei.post('/students', exampleStudent({ class_preferences: ['cedar_park'] }))
  const { batch_id } = (
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  ).body
  const claimedTexts: ClaimedText[] = []
  // Dojos without texts come before this dojo in the queue.
  while (claimedTexts.length === 0)
    claimedTexts.push(
      ...(await server.db.withoutDojo((tx) => claimNextTexts(tx, PER_SECOND, 1))).texts,
    )
  const provider = {
    ...NO_PROVIDER,
    send: () =>
      Promise.reject(
        new SendFailure('rate-limited', 'Too many texts at once', {
          status: 429,
          code: 20429,
          retryAfterSeconds,
        }),
      ),
  }
  const nextAtBefore = await readNextAt()
  await sendText(
    { db: server.db, provider, perSecond: PER_SECOND, breaker: createCircuitBreaker() },
    claimedTexts[0]!,
    performance.now(),
  )
  const [text] = (await sensei.get(`/sms/batches/${batch_id}`)).body.texts
  return { nextAtBefore, text }
}

test('slows down every server after a text came too fast, and sends the text again', async () => {
  const { nextAtBefore, text } = await rejectText()
  expect(await readNextAt()).toBe(nextAtBefore)
  for (const instance of [server, otherServer]) {
    expect(await readAllowedRate(instance)).toBeGreaterThanOrEqual(PER_SECOND - 1)
    expect(await readAllowedRate(instance)).toBeLessThanOrEqual(PER_SECOND)
  }
  expect(text.state).toBe('queued')
  expect(
    (await server.db.withoutDojo((tx) => claimNextTexts(tx, PER_SECOND, 1))).texts,
  ).toHaveLength(1)
})

test('adds up rejections on different servers, and lets the rate recover over time', async () => {
  // With `slowed_at` in the future, the rate does not recover during the test.
  await server.db.withoutDojo((tx) =>
    tx.execute(
      sql`update sending_rate set share = 0.1, slowed_at = clock_timestamp() + interval '1 hour'`,
    ),
  )
  await server.db.withoutDojo((tx) => rateLimiter.slowDown(tx, PER_SECOND))
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`update sending_rate set slowed_at = clock_timestamp() + interval '1 hour'`),
  )
  await otherServer.db.withoutDojo((tx) => rateLimiter.slowDown(tx, PER_SECOND))
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`update sending_rate set slowed_at = clock_timestamp() + interval '1 hour'`),
  )
  for (const instance of [server, otherServer])
    expect(await readAllowedRate(instance)).toBeCloseTo(2)
  await letSecondsPass(3600 + 10)
  expect(await readAllowedRate(otherServer)).toBe(PER_SECOND)
})

test('sends nothing until the time in Retry-After', async () => {
  await rejectText(30)
  const { texts, waitMs } = await otherServer.db.withoutDojo((tx) =>
    claimNextTexts(tx, PER_SECOND, 100),
  )
  expect(texts).toEqual([])
  expect(waitMs).toBeGreaterThan(5000)
  await letSecondsPass(31)
  expect(
    (await otherServer.db.withoutDojo((tx) => claimNextTexts(tx, PER_SECOND, 100))).texts,
  ).not.toEqual([])
})

test('claims no more than the rate allows, even in a table without statistics', async () => {
  const sensei = await server.createSensei()
  for (let number = 0; number < 30; number += 1)
    await sensei.post(
      '/students',
      exampleStudent({
        class_preferences: ['cedar_park'],
        phone_number: `(512) 555-${2000 + number}`,
      }),
    )
  await sensei.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'No class today.',
  })
  const { texts, waitMs } = await server.db.withoutDojo((tx) => claimNextTexts(tx, 10, 100))
  expect(texts.length).toBeLessThanOrEqual(2)
  expect(waitMs).toBeGreaterThan(0)
})

/** Sends texts in simulated time. `rejects` gets the number of a call and its time in seconds. */
function simulate({
  texts,
  perSecond,
  rejects,
}: {
  texts: number
  perSecond: number
  rejects: (call: number, seconds: number) => boolean
}) {
  let ms = 0
  let calls = 0
  let sentCount = 0
  let share = 1
  let slowedAt = 0
  while (sentCount < texts && ms < 600_000) {
    const rateShare = calculateCurrentShare({ share, sinceSlowedMs: ms - slowedAt })
    ms += 1000 / (perSecond * rateShare)
    calls += 1
    if (rejects(calls, ms / 1000))
      [share, slowedAt] = [
        calculateShareAfterRejection(
          calculateCurrentShare({ share, sinceSlowedMs: ms - slowedAt }),
          perSecond,
        ),
        ms,
      ]
    else sentCount += 1
  }
  return { seconds: ms / 1000, calls, sent: sentCount }
}

/** Rejects this share of the calls, pseudo-randomly, so every run rejects the same calls. */
const rejectShare = (share: number) => (call: number) =>
  ((call * 2_654_435_761) % 2 ** 32) / 2 ** 32 < share

test('reduces the rate by one text a second for each rejection, at most by half', () => {
  expect([
    calculateShareAfterRejection(1, 40),
    calculateShareAfterRejection(0.5, 10),
    calculateShareAfterRejection(1, 1),
    calculateShareAfterRejection(0.1, 10),
  ]).toEqual([0.975, 0.4, 0.5, 0.05])
})

test('recovers a fifth of the configured rate each second', () => {
  expect(
    [0, 1000, 2500, 60_000, -5].map((sinceSlowedMs) =>
      calculateCurrentShare({ share: 0.5, sinceSlowedMs }),
    ),
  ).toEqual([0.5, 0.7, 1, 1, 0.5])
})

test('sends 600 texts at 40 a second within 25 s when a fifth is rejected at random', () => {
  expect(simulate({ texts: 600, perSecond: 40, rejects: rejectShare(0.2) }).seconds).toBeLessThan(
    25,
  )
})

test('sends at least 90 of 100 texts a second when 5% are rejected at random', () => {
  expect(
    simulate({ texts: 2000, perSecond: 100, rejects: rejectShare(0.05) }).seconds,
  ).toBeLessThan(2000 / 90)
})

test('exceeds a provider’s limit of 20 a second by at most a fifth of the configured rate', () => {
  let callsThisSecond = 0
  let second = 0
  const rejects = (_: number, seconds: number) => {
    if (Math.floor(seconds) > second) [second, callsThisSecond] = [Math.floor(seconds), 0]
    callsThisSecond += 1
    return callsThisSecond > 20
  }
  const { seconds, calls } = simulate({ texts: 1000, perSecond: 100, rejects })
  expect(seconds).toBeLessThan(1000 / 18)
  const tolerance = 5
  expect(calls / seconds).toBeLessThan(20 + 100 / 5 + tolerance)
})

test('calls a provider that rejects everything at no more than a fifth of the rate', () => {
  const rejects = (_: number, seconds: number) => seconds < 60
  const { calls, seconds } = simulate({ texts: 1, perSecond: 40, rejects })
  expect(seconds).toBeLessThan(62)
  expect(calls).toBeLessThan(60 * (40 / 5) + 40)
})

test('pauses 5 s after eight calls without a response, 1 s after eight rejections', () => {
  for (const [failure, seconds] of [['unknown', 5] as const, ['rate-limited', 1] as const]) {
    const breaker = createCircuitBreaker()
    expect(Array.from({ length: 9 }, () => breaker(failure))).toEqual([
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      seconds,
      seconds,
    ])
    expect([breaker(null), breaker(failure)]).toEqual([0, 0])
  }
})

test('does not pause after a text that can never be sent', () => {
  const breaker = createCircuitBreaker()
  for (let times = 0; times < 7; times += 1) breaker('unknown')
  expect([breaker('rejected'), breaker('unknown')]).toEqual([0, 0])
})

test('keeps its rate when the database’s clock is set back by an hour', async () => {
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`update sending_rate set next_at = clock_timestamp() + interval '1 hour'`),
  )
  const acquireSlots = () => server.db.withoutDojo((tx) => rateLimiter.acquire(tx, PER_SECOND, 100))
  expect(await acquireSlots()).toMatchObject({ slots: 1, waitMs: 0 })
  await server.db.withoutDojo((tx) => rateLimiter.consume(tx, 0.1, 1))
  const { slots, waitMs } = await acquireSlots()
  expect(slots).toBe(0)
  expect(waitMs).toBeLessThanOrEqual(10_000)
})
