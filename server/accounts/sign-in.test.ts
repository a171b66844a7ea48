import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { moveClock, nowIso } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import { exampleSensei, PASSWORD } from '../test/fixtures.ts'
import { createClients, startTestServer } from '../test/test-server.ts'
import { signInAddresses } from './tables.ts'

const server = await startTestServer()
const MINUTE_MS = 60_000
const WRONG_PASSWORD = [401, 'Incorrect email or password']
const TOO_MANY_FAILURES = [429, 'Too many failed logins. Please try again later.']
const LOCKED_UNTIL_TOMORROW = [
  429,
  'Too many failed logins. Please try again tomorrow, or reset your password.',
]

async function logInFrom(
  remoteAddress: string,
  email: string,
  password = PASSWORD,
  { http } = server as Pick<typeof server, 'http'>,
) {
  const response = await http.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress,
  })
  return {
    status: response.statusCode,
    body: response.json(),
    headers: response.headers,
    outcome: [response.statusCode, response.json().detail],
  }
}
const guessPasswords = (
  count: number,
  email: string,
  address = '10.0.0.66',
  target = server as Pick<typeof server, 'http'>,
) =>
  Array.from({ length: count }, (_, index) => logInFrom(address, email, `guess ${index}`, target))
const countStatus = (responses: { status: number }[], expectedStatus: number) =>
  responses.filter(({ status }) => status === expectedStatus).length

let addressCount = 0
const createAddress = () => `10.1.0.${(addressCount += 1)}`

describe('sign-in', () => {
  test('returns a token and the user', async () => {
    const { email, id } = await server.createSensei()
    const { status, body } = await logInFrom('10.0.0.1', email)
    expect([status, body]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[\w-]{43}$/),
        user: expect.objectContaining({ id, email, is_instructor: true }),
      },
    ])
  })

  test('accepts the email in any letter case', async () => {
    const { email } = await server.createSensei()
    expect((await logInFrom('10.0.0.1', ` ${email.toUpperCase()} `)).status).toBe(200)
  })

  test('distinguishes letter case and spaces in the password', async () => {
    const { email } = await server.createSensei()
    for (const wrongPassword of [PASSWORD.toLowerCase(), ` ${PASSWORD}`, `${PASSWORD} `])
      expect((await logInFrom('10.0.0.1', email, wrongPassword)).outcome).toEqual(WRONG_PASSWORD)
  })

  test.each([
    [{}, 'Email is required'],
    [{ email: 'a@b.com' }, 'Password is required'],
    [{ email: 'a@b.com', password: '' }, 'Password is required'],
    [{ email: 'nobody', password: 'x' }, 'Email must be a valid email address'],
    [{ email: 'a@b.com', password: 'x'.repeat(1001) }, 'Password is not valid'],
  ])('refuses %j before hashing', async (payload, detail) => {
    const { status, body } = await server.anonymous.post('/login', payload)
    expect([status, body.detail]).toEqual([422, detail])
  })

  test('succeeds for twenty concurrent calls', async () => {
    const { email } = await server.createSensei()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => logInFrom(createAddress(), email)),
    )
    expect(countStatus(responses, 200)).toBe(20)
    expect(new Set(responses.map(({ body }) => body.token)).size).toBe(20)
  })
})

describe('a failed sign-in', () => {
  test('has the same reply for a wrong email and a wrong password', async () => {
    const { email } = await server.createSensei()
    const wrongPasswordResponse = await logInFrom('10.0.0.1', email, 'wrong')
    const unknownEmailResponse = await logInFrom('10.0.0.1', 'nobody@dojo.com', 'wrong')
    expect(wrongPasswordResponse.outcome).toEqual(WRONG_PASSWORD)
    const { status, body, headers } = wrongPasswordResponse
    expect([unknownEmailResponse.status, unknownEmailResponse.body]).toEqual([status, body])
    expect(Object.keys(unknownEmailResponse.headers)).toEqual(Object.keys(headers))
  })

  // On a busy machine, all nine attempts of one kind may be slow.
  test('takes as long for an unknown email as for a wrong password', { retry: 3 }, async () => {
    const { email } = await server.createSensei()
    const unknownEmail = `${newId()}@dojo.com`
    const durations = { known: [] as number[], unknown: [] as number[] }
    for (let index = 0; index < 9; index += 1) {
      for (const [kind, address] of [
        ['known', email],
        ['unknown', unknownEmail],
      ] as const) {
        const startedAt = performance.now()
        await logInFrom('10.0.0.2', address, 'wrong')
        durations[kind].push(performance.now() - startedAt)
      }
    }
    const shortest = (durationsMs: number[]) => Math.min(...durationsMs)
    const ratio = shortest(durations.unknown) / shortest(durations.known)
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })

  test('tells an inactive sensei the reason only with the right password', async () => {
    const form = exampleSensei()
    await server.anonymous.post('/sensei/register', form)
    expect((await logInFrom('10.0.0.1', form.email, 'wrong')).outcome).toEqual(WRONG_PASSWORD)
    expect((await logInFrom('10.0.0.1', form.email)).outcome).toEqual([
      403,
      'Your account is awaiting activation by the admin team.',
    ])
  })

  test('tells a student of an inactive dojo the reason only with the right password', async () => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    await (await server.signInSuperAdmin()).put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect((await logInFrom('10.0.0.1', student.email, 'wrong')).outcome).toEqual(WRONG_PASSWORD)
    expect((await logInFrom('10.0.0.1', student.email)).outcome).toEqual([
      403,
      'Your dojo is not active. Please contact your instructor.',
    ])
  })
})

describe('after ten failures in fifteen minutes', () => {
  test('refuses even the right password from a new address, with Retry-After', async () => {
    const { email } = await server.createSensei()
    for (const guess of await Promise.all(guessPasswords(10, email)))
      expect(guess.outcome).toEqual(WRONG_PASSWORD)
    for (const password of ['wrong', PASSWORD]) {
      const refusal = await logInFrom(createAddress(), email, password)
      expect(refusal.outcome).toEqual(TOO_MANY_FAILURES)
      expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(14 * 60)
      expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    }
  })

  test('also refuses an email that has no account', async () => {
    expect(
      (await Promise.all(guessPasswords(10, 'nobody1@dojo.com'))).map(({ outcome }) => outcome),
    ).toEqual(Array.from({ length: 10 }, () => WRONG_PASSWORD))
    const refusal = await logInFrom(createAddress(), 'nobody1@dojo.com')
    expect([refusal.outcome, Number(refusal.headers['retry-after']) > 14 * 60]).toEqual([
      TOO_MANY_FAILURES,
      true,
    ])
  })

  test('accepts the right password, and limits wrong ones, from a known address', async () => {
    const { email } = await server.createSensei()
    const homeAddress = createAddress()
    await logInFrom(homeAddress, email)
    await Promise.all(guessPasswords(10, email))
    expect((await logInFrom(homeAddress, email, 'wrong')).outcome).toEqual(TOO_MANY_FAILURES)
    expect((await logInFrom(homeAddress, email)).status).toBe(200)
  })

  test('does not affect other accounts', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    await Promise.all(guessPasswords(11, sensei.email))
    expect((await logInFrom('10.0.0.66', otherSensei.email)).status).toBe(200)
  })

  test('accepts the right password again after the fifteen minutes', async () => {
    const { email } = await server.createSensei()
    await Promise.all(guessPasswords(10, email))
    const { headers } = await logInFrom(createAddress(), email)
    moveClock((Number(headers['retry-after']) - 30) * 1000)
    expect((await logInFrom(createAddress(), email)).outcome).toEqual(TOO_MANY_FAILURES)
    moveClock(MINUTE_MS)
    expect((await logInFrom(createAddress(), email)).status).toBe(200)
  })

  test('does not reveal that an account is inactive', async () => {
    const form = exampleSensei()
    await server.anonymous.post('/sensei/register', form)
    await Promise.all(guessPasswords(10, form.email))
    expect((await logInFrom(createAddress(), form.email)).outcome).toEqual(TOO_MANY_FAILURES)
  })
})

describe('concurrent guesses', () => {
  test('are limited to ten across all servers, even if one is right', async () => {
    const { email } = await server.createSensei()
    const secondServer = await server.openServer()
    const attempts = [
      ...guessPasswords(15, email, '10.0.0.7'),
      ...guessPasswords(15, email, '10.0.0.8', secondServer),
      logInFrom('10.0.0.7', email),
      logInFrom('10.0.0.8', email, PASSWORD, secondServer),
    ]
    const responses = await Promise.all(attempts)
    expect(countStatus(responses, 401)).toBe(10)
    for (const { outcome } of responses.slice(-2)) expect(outcome).toEqual(TOO_MANY_FAILURES)
    expect(countStatus(responses, 429)).toBe(22)
  })
})

test('limits each IP address to sixty attempts a minute', async () => {
  const { http } = await server.openServer({ signInsPerMinute: 60 })
  const { email } = await server.createSensei()
  const responses = await Promise.all(
    Array.from({ length: 60 }, () => createClients(http).anonymous.post('/login', {})),
  )
  expect(countStatus(responses, 422)).toBe(60)
  const refusal = await logInFrom('127.0.0.1', email, PASSWORD, { http })
  expect(refusal.outcome).toEqual([429, 'Too many attempts. Please try again later.'])
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect((await logInFrom('10.0.0.1', email, PASSWORD, { http })).status).toBe(200)
})

describe('an IP address that the account has used before', () => {
  const setGuesses = (accountId: string, failures: number) =>
    server.db.withoutDojo((tx) =>
      tx
        .update(signInAddresses)
        .set({ failures, failures_since: nowIso() })
        .where(eq(signInAddresses.account_id, accountId)),
    )
  const readGuessNotices = async (sensei: { get: (path: string) => Promise<{ body: unknown }> }) =>
    ((await sensei.get('/notifications')).body as { title: string }[]).filter(
      ({ title }) => title === 'Somebody may be guessing your password',
    )

  test('is locked for a day by a hundred wrong passwords, with one notification', async () => {
    const sensei = await server.createSensei()
    const homeAddress = createAddress()
    const phoneAddress = createAddress()
    for (const address of [homeAddress, phoneAddress]) await logInFrom(address, sensei.email)
    // Other addresses are refused after ten.
    for (const response of await Promise.all(guessPasswords(12, sensei.email, homeAddress)))
      expect([401, 429]).toContain(response.status)
    expect((await logInFrom(homeAddress, sensei.email)).status).toBe(200)
    await setGuesses(sensei.id, 98)
    await logInFrom(homeAddress, sensei.email, 'guess 99')
    expect([
      (await logInFrom(homeAddress, sensei.email)).status,
      await readGuessNotices(sensei),
    ]).toEqual([200, []])
    await logInFrom(homeAddress, sensei.email, 'guess 100')
    const refusal = await logInFrom(homeAddress, sensei.email)
    expect(refusal.outcome).toEqual(LOCKED_UNTIL_TOMORROW)
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(86_000)
    expect((await logInFrom(homeAddress, sensei.email, 'guess 101')).outcome).toEqual(
      LOCKED_UNTIL_TOMORROW,
    )
    expect(await readGuessNotices(sensei)).toHaveLength(1)
    expect((await logInFrom(phoneAddress, sensei.email)).status).toBe(200)
    moveClock(24 * 60 * MINUTE_MS)
    expect((await logInFrom(homeAddress, sensei.email)).status).toBe(200)
    moveClock(-24 * 60 * MINUTE_MS)
  })

  test('is unlocked when the password is changed', async () => {
    const sensei = await server.createSensei()
    const homeAddress = createAddress()
    await logInFrom(homeAddress, sensei.email)
    await setGuesses(sensei.id, 100)
    expect((await logInFrom(homeAddress, sensei.email)).outcome).toEqual(LOCKED_UNTIL_TOMORROW)
    const change = { current_password: PASSWORD, new_password: 'Another-one-2' }
    expect((await sensei.put('/profile/password', change)).status).toBe(200)
    expect((await logInFrom(homeAddress, sensei.email, 'Another-one-2')).status).toBe(200)
  })
})
