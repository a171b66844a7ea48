import { expect, test } from 'vitest'
import { PASSWORD } from '../test/fixtures.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { hashPassword, isCorrectPassword } from './passwords.ts'

const matchesHash = (password: string, hash: string | null) =>
  isCorrectPassword(password, hash, requesterByAddress('10.0.0.1'))

test('hashes with argon2id, 19 MiB, two passes and a new salt each time', async () => {
  const firstHash = await hashPassword(PASSWORD)
  const secondHash = await hashPassword(PASSWORD)
  expect(firstHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(secondHash).not.toBe(firstHash)
})

test('compares every character, and refuses every password if there is no hash', async () => {
  const longPassword = `${'パ'.repeat(127)}1`
  const hash = await hashPassword(longPassword)
  expect([
    await matchesHash(longPassword, hash),
    await matchesHash(`${'パ'.repeat(127)}2`, hash),
    await matchesHash(longPassword, null),
  ]).toEqual([true, false, false])
  expect(await matchesHash('nobody has this password', null)).toBe(false)
})
