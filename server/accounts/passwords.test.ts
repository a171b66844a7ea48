import { expect, test } from 'vitest'
import { PASSWORD } from '../test/fixtures.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { hashPassword, isPassword as isPasswordInTurn } from './passwords.ts'

const isPassword = (password: string, hash: string | null) => isPasswordInTurn(password, hash, requesterByAddress('10.0.0.1'))

test('a hash is argon2id with 19 MiB and two passes, salted anew each time', async () => {
  const [one, other] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(other).not.toBe(one)
})

test('a password is the one behind its hash, every character of it, and nobody’s where there is no account', async () => {
  const long = `${'パ'.repeat(127)}1`
  const hash = await hashPassword(long)
  expect([await isPassword(long, hash), await isPassword(`${'パ'.repeat(127)}2`, hash), await isPassword(long, null)]).toEqual([
    true,
    false,
    false,
  ])
  expect(await isPassword('nobody has this password', null)).toBe(false)
})
