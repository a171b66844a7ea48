import { availableParallelism } from 'node:os'
import { beforeEach, expect, test, vi } from 'vitest'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { Refusal } from '../lib/refusal.ts'
import { exampleSensei, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { MAX_CONCURRENT_HASHES, type runInWorker } from './password-hashing.ts'
import { hashPassword, isCorrectPassword } from './passwords.ts'

const hashing = vi.hoisted(() => ({
  startedPasswords: [] as string[],
  running: 0,
  maxRunning: 0,
  isPaused: false,
  /** Each function finishes one paused hash. */
  releases: [] as (() => void)[],
}))
// While `isPaused` is true, each hash waits until the test releases it.
vi.mock('./password-hashing.ts', async (original) => {
  const real = await original<typeof import('./password-hashing.ts')>()
  return {
    ...real,
    runInWorker: async (task: Parameters<typeof runInWorker>[0]) => {
      hashing.startedPasswords.push(task.password)
      hashing.running += 1
      hashing.maxRunning = Math.max(hashing.maxRunning, hashing.running)
      if (hashing.isPaused) await new Promise<void>((resolve) => hashing.releases.push(resolve))
      hashing.running -= 1
      return task.password.startsWith('flood') ? false : real.runInWorker(task)
    },
  }
})
function releaseAll() {
  hashing.isPaused = false
  for (const release of hashing.releases.splice(0)) release()
}

const server = await startTestServer()
const hash = await hashPassword(PASSWORD)
beforeEach(() => {
  Object.assign(hashing, { startedPasswords: [], maxRunning: 0, isPaused: true })
})

const signIn = (email: string, password: string, remoteAddress: string) =>
  server.http.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress,
  })
const MAX_QUEUE_LENGTH = 200
/** By default, fills all workers and the queue. Each attempt has a different IP address. */
const floodQueue = (attempts = MAX_QUEUE_LENGTH + MAX_CONCURRENT_HASHES) =>
  Array.from({ length: attempts }, (_, index) =>
    isCorrectPassword(
      `flood ${index}`,
      hash,
      requesterByAddress(`10.66.${Math.floor(index / 256)}.${index % 256}`),
    ),
  )

test('leaves one core free', () => {
  expect(MAX_CONCURRENT_HASHES).toBe(Math.max(1, availableParallelism() - 1))
})

test('limits concurrent hashes, queues 200 more and refuses the rest', async () => {
  const outcomes = Promise.allSettled(floodQueue(MAX_QUEUE_LENGTH + 10 + MAX_CONCURRENT_HASHES))
  await vi.waitFor(() => expect(hashing.running).toBe(MAX_CONCURRENT_HASHES))
  releaseAll()
  const refusals = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Refusal] : [],
  )
  expect(refusals.map(({ status, retryAfterSeconds }) => [status, retryAfterSeconds])).toEqual(
    Array.from({ length: 10 }, () => [429, 5]),
  )
  expect(hashing.maxRunning).toBe(MAX_CONCURRENT_HASHES)
})

test('gives attempts from a known IP address priority over a full queue', async () => {
  releaseAll()
  const sensei = await server.createSensei()
  await signIn(sensei.email, PASSWORD, '10.0.0.7')
  Object.assign(hashing, { startedPasswords: [], isPaused: true })
  const flood = Promise.all(floodQueue())
  await vi.waitFor(() => expect(hashing.running).toBe(MAX_CONCURRENT_HASHES))
  const newAddressSignIn = await signIn(sensei.email, PASSWORD, '10.0.0.8')
  expect([newAddressSignIn.statusCode, newAddressSignIn.headers['retry-after']]).toEqual([429, '5'])
  const wrongSignIn = signIn(sensei.email, 'Wrong2026!', '10.0.0.7')
  const rightSignIn = signIn(sensei.email, PASSWORD, '10.0.0.7')
  // Releases one hash of the flood at a time while the two sign-ins look up the account.
  await vi.waitFor(
    () => {
      hashing.releases.shift()?.()
      expect(hashing.startedPasswords).toEqual(expect.arrayContaining(['Wrong2026!', PASSWORD]))
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(hashing.startedPasswords.length).toBeLessThan(MAX_QUEUE_LENGTH)
  releaseAll()
  expect([(await wrongSignIn).statusCode, (await rightSignIn).statusCode]).toEqual([401, 200])
  await flood
})

test('does not slow other calls during a flood of sign-ins', async () => {
  releaseAll()
  const sensei = await server.createSensei()
  Object.assign(hashing, { startedPasswords: [], isPaused: true })
  let finishedSignIns = 0
  const floodSignIns = Array.from({ length: 100 }, async (_, index) => {
    await signIn(`flood${index}@dojo.com`, `flood ${index}`, `10.67.0.${index}`)
    finishedSignIns += 1
  })
  await vi.waitFor(() => expect(hashing.running).toBe(MAX_CONCURRENT_HASHES))
  for (let calls = 0; calls < 20; calls += 1)
    expect((await sensei.get('/classes')).status).toBe(200)
  expect(finishedSignIns).toBe(0)
  releaseAll()
  await Promise.all(floodSignIns)
})

test('refuses a registration while the queue is full, but not a password change', async () => {
  releaseAll()
  const sensei = await server.createSensei()
  Object.assign(hashing, { startedPasswords: [], isPaused: true })
  const flood = Promise.all(floodQueue())
  const passwordChange = sensei.put('/profile/password', {
    current_password: PASSWORD,
    new_password: 'Changed2026!',
  })
  const registration = await server.anonymous.post(
    '/sensei/register',
    exampleSensei({ email: 'mina@dojo.com' }),
  )
  expect(registration.status).toBe(429)
  releaseAll()
  expect((await passwordChange).status).toBe(200)
  await flood
})
