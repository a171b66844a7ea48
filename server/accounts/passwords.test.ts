import { expect, test } from 'vitest'
import { PASSWORD, testHouse } from '../test/house.ts'
import { hashPassword, isPassword } from './passwords.ts'

const house = await testHouse()

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

test('a flood of sign-ins slows sign-in only', async () => {
  const sensei = await house.sensei()
  let answered = 0
  const flood = Array.from({ length: 100 }, async (_, i) => {
    await house.stranger.post('/login', { email: `flood${i}@dojo.com`, password: PASSWORD })
    answered += 1
  })
  for (let calls = 0; calls < 20; calls += 1) expect((await sensei.get('/classes')).status).toBe(200)
  // Twenty calls, one after the other, were answered while most of the flood still waited.
  expect(answered).toBeLessThan(50)
  await Promise.all(flood)
})
