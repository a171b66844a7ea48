import { sql } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { afterEach, describe, expect, test } from 'vitest'
import { setSecretsKey } from '../../accounts/sealed-secrets.ts'
import { sealAuthenticators } from '../../accounts/totp.ts'
import { moveClock, now } from '../../lib/clock.ts'
import { PASSWORD } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const STEP_MS = 30_000
const MINUTE_MS = 60_000
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const CODE_REQUIRED = [422, 'Enter the code that your authenticator app shows, or a recovery code.']
const WRONG_CODE = [422, 'This code is wrong. Each code works once, for half a minute.']
const TOO_MANY_FAILURES = [429, 'Too many failed logins. Please try again later.']

const getCurrentCode = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) })
/** A code that is almost certainly not valid. */
const getWrongCode = (secret: string) =>
  String((Number(getCurrentCode(secret)) + 1) % 1_000_000).padStart(6, '0')
const logIn = (email: string, code?: string) =>
  server.anonymous.post('/login', { email, password: PASSWORD, ...(code && { code }) })

async function createSenseiWithApp() {
  const sensei = await server.createSensei()
  const { secret, qr } = (await sensei.post('/authenticator', {})).body
  const { recovery_codes } = (await sensei.put('/authenticator', { code: getCurrentCode(secret) }))
    .body
  // The code that turned on the app cannot be used again.
  moveClock(STEP_MS * 2)
  return { sensei, secret, qr, recovery_codes: recovery_codes as string[] }
}

describe('an authenticator app', () => {
  test('is required after a correct code has turned it on', async () => {
    const sensei = await server.createSensei()
    const { secret, qr } = (await sensei.post('/authenticator', {})).body
    expect([secret, qr]).toEqual([
      expect.stringMatching(/^[A-Z2-7]{32}$/),
      expect.stringMatching(/^data:image\/png;base64,/),
    ])
    expect(
      getStatusAndDetail(await sensei.put('/authenticator', { code: getWrongCode(secret) })),
    ).toEqual(WRONG_CODE)
    expect((await logIn(sensei.email)).status).toBe(200)
    expect(
      (await sensei.put('/authenticator', { code: getCurrentCode(secret) })).body.recovery_codes,
    ).toHaveLength(10)
    expect(getStatusAndDetail(await logIn(sensei.email))).toEqual(CODE_REQUIRED)
    expect((await sensei.get('/sign-in-methods')).body).toMatchObject({
      authenticator_since: expect.any(String),
      recovery_codes_left: 10,
    })
  })

  test('opens a session with a password and a code, which works once', async () => {
    const { sensei, secret } = await createSenseiWithApp()
    const code = getCurrentCode(secret)
    expect((await logIn(sensei.email, code)).body).toMatchObject({
      token: expect.any(String),
      user: { id: sensei.id },
    })
    expect(getStatusAndDetail(await logIn(sensei.email, code))).toEqual(WRONG_CODE)
    moveClock(STEP_MS)
    const nextCode = getCurrentCode(secret)
    const codeWithSpace = `${nextCode.slice(0, 3)} ${nextCode.slice(3)}`
    expect((await logIn(sensei.email, codeWithSpace)).status).toBe(200)
  })

  test('accepts a code of the previous half minute, but no older one', async () => {
    const { sensei, secret } = await createSenseiWithApp()
    const expiredCode = getCurrentCode(secret)
    moveClock(STEP_MS * 2)
    const previousCode = getCurrentCode(secret)
    moveClock(STEP_MS)
    expect(getStatusAndDetail(await logIn(sensei.email, expiredCode))).toEqual(WRONG_CODE)
    expect((await logIn(sensei.email, previousCode)).status).toBe(200)
  })

  test('does not reveal whether a code is right if the password is wrong', async () => {
    const { sensei, secret } = await createSenseiWithApp()
    const response = await server.anonymous.post('/login', {
      email: sensei.email,
      password: 'wrong',
      code: getCurrentCode(secret),
    })
    expect(getStatusAndDetail(response)).toEqual([401, 'Incorrect email or password'])
    expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(200)
  })

  test('allows ten wrong codes in fifteen minutes, even from a known IP address', async () => {
    const { sensei, secret } = await createSenseiWithApp()
    await logIn(sensei.email, getCurrentCode(secret))
    for (let guess = 0; guess < 10; guess += 1)
      expect(getStatusAndDetail(await logIn(sensei.email, getWrongCode(secret)))).toEqual(
        WRONG_CODE,
      )
    moveClock(STEP_MS * 2)
    const refusal = await logIn(sensei.email, getCurrentCode(secret))
    expect([getStatusAndDetail(refusal), Number(refusal.headers['retry-after']) > 0]).toEqual([
      TOO_MANY_FAILURES,
      true,
    ])
    moveClock(16 * MINUTE_MS)
    expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(200)
  })

  test('is turned off with the password, which also deletes its recovery codes', async () => {
    const { sensei } = await createSenseiWithApp()
    expect(getStatusAndDetail(await sensei.post('/authenticator/remove', {}))).toEqual([
      422,
      'Password is required',
    ])
    expect(
      getStatusAndDetail(await sensei.post('/authenticator/remove', { current_password: 'wrong' })),
    ).toEqual([422, 'Current password is not correct'])
    expect(
      (await sensei.post('/authenticator/remove', { current_password: PASSWORD })).body,
    ).toEqual({ success: true })
    expect((await sensei.get('/sign-in-methods')).body).toMatchObject({
      authenticator_since: null,
      recovery_codes_left: 0,
    })
    expect((await logIn(sensei.email)).status).toBe(200)
  })

  test('is not available to students, because nobody could help them if they lost it', async () => {
    const student = await server.createStudent(await server.createSensei())
    expect((await student.post('/authenticator', {})).status).toBe(403)
    expect((await student.get('/sign-in-methods')).body.may_use_authenticator).toBe(false)
  })
})

describe('a recovery code', () => {
  test('replaces a code once, however it is typed', async () => {
    const { sensei, recovery_codes } = await createSenseiWithApp()
    expect(recovery_codes).toEqual(
      Array.from({ length: 10 }, () => expect.stringMatching(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/)),
    )
    const [usedCode = '', replacedCode = ''] = recovery_codes
    expect((await logIn(sensei.email, usedCode.toUpperCase().replaceAll('-', ' '))).status).toBe(
      200,
    )
    expect(getStatusAndDetail(await logIn(sensei.email, usedCode))).toEqual(WRONG_CODE)
    expect((await sensei.get('/sign-in-methods')).body.recovery_codes_left).toBe(9)
    const { body } = await sensei.post('/recovery-codes', { current_password: PASSWORD })
    expect(getStatusAndDetail(await logIn(sensei.email, replacedCode))).toEqual(WRONG_CODE)
    expect((await logIn(sensei.email, body.recovery_codes[0])).status).toBe(200)
  })

  test('of another person does not work', async () => {
    const { sensei } = await createSenseiWithApp()
    const { recovery_codes } = await createSenseiWithApp()
    expect(getStatusAndDetail(await logIn(sensei.email, recovery_codes[0]))).toEqual(WRONG_CODE)
  })
})

describe('with SECRETS_KEY, the secret of an app', () => {
  const KEY = 'a'.repeat(32)
  const OTHER_KEY = 'b'.repeat(32)
  afterEach(() => setSecretsKey(undefined))
  async function readStoredSecret({ id }: { id: string }) {
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute<{ secret: string }>(sql`select secret from totp_secrets where account_id = ${id}`),
    )
    return rows[0]!.secret
  }
  const sealAllSecrets = () => server.db.withoutDojo(sealAuthenticators)

  test('is encrypted, and its codes are accepted', async () => {
    setSecretsKey(KEY)
    const { sensei, secret } = await createSenseiWithApp()
    const storedSecret = await readStoredSecret(sensei)
    expect(storedSecret).toMatch(/^v1\.[\w-]{80}$/)
    expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(200)
    // Any change to the encrypted secret makes it unreadable.
    await server.db.withoutDojo((tx) =>
      tx.execute(
        sql`update totp_secrets set secret = overlay(secret placing 'AAAA' from 30)
          where account_id = ${sensei.id}`,
      ),
    )
    moveClock(STEP_MS)
    expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(503)
  })

  test('is encrypted at the next start if it was stored without encryption', async () => {
    const { sensei, secret } = await createSenseiWithApp()
    expect(await readStoredSecret(sensei)).toBe(secret)
    await sealAllSecrets()
    expect(await readStoredSecret(sensei)).toBe(secret)
    setSecretsKey(KEY)
    await sealAllSecrets()
    const storedSecret = await readStoredSecret(sensei)
    expect(storedSecret).toMatch(/^v1\./)
    await sealAllSecrets()
    expect(await readStoredSecret(sensei)).toBe(storedSecret)
    expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(200)
  })

  // Eleven attempts show that none of them counts as a failure, because ten failures are too many.
  test.each([
    ['another key', OTHER_KEY, 11],
    ['no key', undefined, 1],
  ])(
    'cannot be read with %s, but recovery codes work and no failure is counted',
    async (_, key, attemptCount) => {
      setSecretsKey(KEY)
      const { sensei, secret, recovery_codes } = await createSenseiWithApp()
      setSecretsKey(key)
      expect(await sealAllSecrets()).toBeGreaterThan(0)
      for (let attempt = 0; attempt < attemptCount; attempt += 1)
        expect(getStatusAndDetail(await logIn(sensei.email, getCurrentCode(secret)))).toEqual([
          503,
          'We can’t check codes from your app right now. Enter a recovery code, or ' +
            'ask the admin team.',
        ])
      expect((await logIn(sensei.email, recovery_codes[0])).status).toBe(200)
      setSecretsKey(KEY)
      expect((await logIn(sensei.email, getCurrentCode(secret))).status).toBe(200)
    },
  )
})
