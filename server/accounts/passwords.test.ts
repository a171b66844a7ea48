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
  expect([await isPassword(long, hash), await isPassword(`${'パ'.repeat(127)}2`, hash), await isPassword(long, null)]).toEqual([true, false, false])
  expect(await isPassword('nobody has this password', null)).toBe(false)
})

test('a flood of sign-ins slows sign-in only; who is too many is sent away with a time to come back', async () => {
  const sensei = await house.sensei()
  let answered = 0
  const flood = Array.from({ length: 230 }, async (_, i) => {
    const answer = await house.stranger.post('/login', { email: `flood${i}@dojo.com`, password: PASSWORD })
    answered += 1
    return answer
  })
  for (let calls = 0; calls < 20; calls += 1) expect((await sensei.get('/classes')).status).toBe(200)
  // Twenty calls, one after the other, were answered while most of the flood still waited.
  expect(answered).toBeLessThan(115)
  const answers = await Promise.all(flood)
  const [tried, refused] = [answers.filter(({ status }) => status === 401), answers.filter(({ status }) => status === 429)]
  expect([tried.length + refused.length, refused.length > 0]).toEqual([230, true])
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await house.signIn(sensei.email)).token).toBeDefined()
}, 60_000)
