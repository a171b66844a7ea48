import { expect, test } from 'vitest'
import { PASSWORD } from '../test/fixtures.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { hashPassword, isPassword as isPasswordOf } from './passwords.ts'

const isPassword = (password: string, hash: string | null) =>
  isPasswordOf(password, hash, requesterByAddress('10.0.0.1'))

test('hashes with argon2id, 19 MiB, two passes and a new salt each time', async () => {
  const [firstHash, secondHash] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  expect(firstHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(secondHash).not.toBe(firstHash)
})

test('compares every character, and refuses every password if there is no hash', async () => {
  const longPassword = `${'パ'.repeat(127)}1`
  const hash = await hashPassword(longPassword)
  expect([
    await isPassword(longPassword, hash),
    await isPassword(`${'パ'.repeat(127)}2`, hash),
    await isPassword(longPassword, null),
  ]).toEqual([true, false, false])
  expect(await isPassword('nobody has this password', null)).toBe(false)
})
