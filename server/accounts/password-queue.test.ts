import { availableParallelism } from 'node:os'
import { beforeEach, expect, test, vi } from 'vitest'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { Refusal } from '../lib/refusal.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { MAX_CONCURRENT_HASHES, type runInWorker } from './password-hashing.ts'
import { hashPassword, isPassword } from './passwords.ts'

const hashing = vi.hoisted(() => ({
  begun: [] as string[],
  atOnce: 0,
  most: 0,
  isHeld: false,
  release: [] as (() => void)[],
}))
// Hashing ends when the test says so.
vi.mock('./password-hashing.ts', async (original) => {
  const real = await original<typeof import('./password-hashing.ts')>()
  return {
    ...real,
    runInWorker: async (task: Parameters<typeof runInWorker>[0]) => {
      hashing.begun.push(task.password)
      hashing.atOnce += 1
      hashing.most = Math.max(hashing.most, hashing.atOnce)
      if (hashing.isHeld) await new Promise<void>((resolve) => hashing.release.push(resolve))
      hashing.atOnce -= 1
      return task.password.startsWith('flood') ? false : real.runInWorker(task)
    },
  }
})
function letGo() {
  hashing.isHeld = false
  for (const release of hashing.release.splice(0)) release()
}

const server = await startTestServer()
const hash = await hashPassword(PASSWORD)
beforeEach(() => {
  Object.assign(hashing, { begun: [], most: 0, isHeld: true })
})

const signIn = (email: string, password: string, remoteAddress: string) =>
  server.http.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress,
  })
/** Enough strangers, each with an address of their own, to fill the queue. */
const flood = (size = 200 + MAX_CONCURRENT_HASHES) =>
  Array.from({ length: size }, (_, i) =>
    isPassword(`flood ${i}`, hash, requesterByAddress(`10.66.${i >> 8}.${i & 255}`)),
  )

test('leaves one core free', () => {
  expect(MAX_CONCURRENT_HASHES).toBe(Math.max(1, availableParallelism() - 1))
})

test('limits concurrent hashes, queues 200 more, and refuses the rest with Retry-After', async () => {
  const outcomes = Promise.allSettled(flood(210 + MAX_CONCURRENT_HASHES))
  await vi.waitFor(() => expect(hashing.atOnce).toBe(MAX_CONCURRENT_HASHES))
  letGo()
  const refusals = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Refusal] : [],
  )
  expect(refusals.map(({ status, retryAfterSeconds }) => [status, retryAfterSeconds])).toEqual(
    Array.from({ length: 10 }, () => [429, 5]),
  )
  expect(hashing.most).toBe(MAX_CONCURRENT_HASHES)
})

test('gives attempts from a known address priority over a full queue', async () => {
  letGo()
  const sensei = await server.createSensei()
  await signIn(sensei.email, PASSWORD, '10.0.0.7')
  Object.assign(hashing, { begun: [], isHeld: true })
  const strangers = Promise.all(flood())
  await vi.waitFor(() => expect(hashing.atOnce).toBe(MAX_CONCURRENT_HASHES))
  const elsewhere = await signIn(sensei.email, PASSWORD, '10.0.0.8')
  expect([elsewhere.statusCode, elsewhere.headers['retry-after']]).toEqual([429, '5'])
  const usedAddressSignIn = signIn(sensei.email, 'Known2026!', '10.0.0.7'),
    right = signIn(sensei.email, PASSWORD, '10.0.0.7')
  // The flood goes on one hashing at a time while the two are looked up.
  await vi.waitFor(
    () => {
      hashing.release.shift()?.()
      expect(hashing.begun).toEqual(expect.arrayContaining(['Known2026!', PASSWORD]))
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(hashing.begun.length).toBeLessThan(200)
  letGo()
  expect([(await usedAddressSignIn).statusCode, (await right).statusCode]).toEqual([401, 200])
  await strangers
})

test('slows only sign-in during a flood of sign-ins', async () => {
  letGo()
  const sensei = await server.createSensei()
  Object.assign(hashing, { begun: [], isHeld: true })
  let answeredCount = 0
  const strangers = Array.from({ length: 100 }, async (_, i) => {
    await signIn(`flood${i}@dojo.com`, `flood ${i}`, `10.67.0.${i}`)
    answeredCount += 1
  })
  await vi.waitFor(() => expect(hashing.atOnce).toBe(MAX_CONCURRENT_HASHES))
  for (let calls = 0; calls < 20; calls += 1)
    expect((await sensei.get('/classes')).status).toBe(200)
  expect(answeredCount).toBe(0)
  letGo()
  await Promise.all(strangers)
})

test('queues the hashes of registering, joining, resetting and changing a password together', async () => {
  letGo()
  const sensei = await server.createSensei()
  Object.assign(hashing, { begun: [], isHeld: true })
  const strangers = Promise.all(flood())
  const passwordChange = sensei.put('/profile/password', {
    current_password: PASSWORD,
    new_password: 'Changed2026!',
  })
  const registration = await server.anonymous.post('/sensei/register', {
    ...{
      first_name: 'Mina',
      last_name: 'Okafor',
      email: 'mina@dojo.com',
      contact_area_code: '512',
      contact_number: '5550100',
    },
    ...{
      password: PASSWORD,
      retype_password: PASSWORD,
      city: 'Waco',
      state: 'Texas',
      dojo_name: 'Lone Star',
    },
  })
  expect(registration.status).toBe(429)
  letGo()
  expect((await passwordChange).status).toBe(200)
  await strangers
})
