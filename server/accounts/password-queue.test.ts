import { expect, test, vi } from 'vitest'
import type { Refusal } from '../kernel/refusal.ts'
import { isPassword } from './passwords.ts'

const hashing = vi.hoisted(() => ({ atOnce: 0, most: 0, hold: Promise.withResolvers<boolean>() }))
// Hashing that takes as long as the test likes, and no processor.
vi.mock('@node-rs/argon2', () => ({
  hash: async () => 'hashed',
  verify: async () => {
    hashing.atOnce += 1
    hashing.most = Math.max(hashing.most, hashing.atOnce)
    await hashing.hold.promise
    hashing.atOnce -= 1
    return true
  },
}))

test('two passwords are hashed at once, two hundred wait, whoever comes then is sent away with a time to come back', async () => {
  const tries = Array.from({ length: 210 }, () => isPassword('x', 'hashed'))
  const refused = Promise.allSettled(tries).then(
    (settled) => settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[],
  )
  await vi.waitFor(() => expect(hashing.atOnce).toBe(2))
  hashing.hold.resolve(true)
  const reasons = (await refused).map(({ reason }) => reason as Refusal)
  expect(reasons.map(({ status, retryAfterSeconds }) => [status, retryAfterSeconds])).toEqual(Array.from({ length: 8 }, () => [429, 5]))
  expect([hashing.most, await isPassword('x', 'hashed')]).toEqual([2, true])
})
