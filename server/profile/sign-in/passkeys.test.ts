import { describe, expect, test } from 'vitest'
import { storeRecoveryLink } from '../../accounts/account-recovery.ts'
import { findAccountById } from '../../accounts/accounts.ts'
import { listPasskeys, toRelyingParty } from '../../accounts/passkeys.ts'
import { moveClock } from '../../lib/clock.ts'
import { PASSWORD } from '../../test/fixtures.ts'
import { createSoftAuthenticator } from '../../test/soft-authenticator.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const ORIGIN = 'https://tatami.test'
const MINUTE_MS = 60_000
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]

type SignedInSensei = Awaited<ReturnType<typeof server.createSensei>>
async function addPasskey(
  person: Pick<SignedInSensei, 'post'>,
  device = createSoftAuthenticator(ORIGIN),
  name = 'Phone',
) {
  const { options } = (await person.post('/passkey-options', {})).body
  const response = await person.post('/passkeys', { name, response: device.make(options) })
  return { device, response }
}
async function signInWithDevice(device: ReturnType<typeof createSoftAuthenticator>) {
  const { options } = (await server.anonymous.post('/passkey-sign-in/options')).body
  return server.anonymous.post('/passkey-sign-in', { response: device.sign(options) })
}

test.each([
  ['https://tatami.test', { id: 'tatami.test', origin: 'https://tatami.test' }],
  ['https://judo.club:8443', { id: 'judo.club', origin: 'https://judo.club:8443' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://tatami.test', null],
  ['http://192.168.1.5:3000', null],
  ['https://192.168.1.5', null],
])('creates passkeys at %s for %j', (url, party) => {
  expect(toRelyingParty(url)).toEqual(party)
})

describe('a passkey', () => {
  test('signs its owner in and records the time', async () => {
    const sensei = await server.createSensei()
    const { device, response } = await addPasskey(sensei)
    expect(response.body).toEqual({
      passkey: {
        id: expect.any(String),
        name: 'Phone',
        created_at: expect.any(String),
        last_used_at: null,
      },
      recovery_codes: [],
    })
    const { status, body } = await signInWithDevice(device)
    expect([status, body.user]).toEqual([
      200,
      expect.objectContaining({ email: sensei.email, sign_in_step: null }),
    ])
    const newClient = server.clientFor(body.token)
    expect((await newClient.get('/sign-in-methods')).body.passkeys).toEqual([
      { ...response.body.passkey, last_used_at: expect.any(String) },
    ])
  })

  test('is bound to the host of the server, and needs no email to log in', async () => {
    const sensei = await server.createSensei()
    const { options } = (await sensei.post('/passkey-options', {})).body
    expect(options).toMatchObject({
      rp: { id: 'tatami.test' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const request = (await server.anonymous.post('/passkey-sign-in/options')).body
    expect(request.options).toMatchObject({ rpId: 'tatami.test', userVerification: 'required' })
    expect(request.options.allowCredentials ?? []).toEqual([])
  })

  test('does not sign in a deactivated sensei, and says why', async () => {
    const sensei = await server.createSensei()
    const { device } = await addPasskey(sensei)
    await (await server.signInSuperAdmin()).put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect(getStatusAndDetail(await signInWithDevice(device))).toEqual([
      403,
      'Your account is awaiting activation by the admin team.',
    ])
  })

  test('can be renamed and removed only by its owner', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const { device, response } = await addPasskey(sensei)
    const path = `/passkeys/${response.body.passkey.id}`
    expect((await otherSensei.put(path, { name: 'Mine' })).status).toBe(404)
    expect((await otherSensei.delete(path)).status).toBe(404)
    expect((await sensei.put(path, { name: 'Old phone' })).body.passkey).toMatchObject({
      name: 'Old phone',
    })
    expect((await sensei.delete(path)).body).toEqual({ success: true })
    expect(getStatusAndDetail(await signInWithDevice(device))).toEqual([
      401,
      'We don’t know this passkey. Please log in with your password.',
    ])
  })

  test('is recorded in the notifications and the audit log', async () => {
    const sensei = await server.createSensei()
    const { response } = await addPasskey(sensei)
    await sensei.delete(`/passkeys/${response.body.passkey.id}`)
    const titles = (await sensei.get('/notifications')).body.map(
      ({ title }: { title: string }) => title,
    )
    expect(titles).toEqual(expect.arrayContaining(['Passkey added', 'Passkey removed']))
    const superAdmin = await server.signInSuperAdmin()
    const log = (await superAdmin.get('/super-admin/audit-log')).body
    const actions = log
      .filter(({ actor }: { actor: string }) => actor === sensei.email)
      .map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['passkey removed', 'passkey added'])
  })
})

describe('refuses', () => {
  const REFUSAL = [422, 'The passkey could not be checked. Please try again.']

  test('a passkey made at another origin or without checking its owner', async () => {
    const sensei = await server.createSensei()
    for (const device of [
      createSoftAuthenticator('https://tatami.evil'),
      createSoftAuthenticator(ORIGIN, { isVerified: false }),
    ])
      expect(getStatusAndDetail((await addPasskey(sensei, device)).response)).toEqual(REFUSAL)
    expect((await sensei.get('/sign-in-methods')).body.passkeys).toEqual([])
  })

  test('a challenge of another person, or a challenge older than five minutes', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const device = createSoftAuthenticator(ORIGIN)
    const { options } = (await otherSensei.post('/passkey-options', {})).body
    expect(
      getStatusAndDetail(
        await sensei.post('/passkeys', { name: 'Phone', response: device.make(options) }),
      ),
    ).toEqual(REFUSAL)
    const expiredOptions = (await sensei.post('/passkey-options', {})).body.options
    moveClock(6 * MINUTE_MS)
    expect(
      getStatusAndDetail(
        await sensei.post('/passkeys', { name: 'Phone', response: device.make(expiredOptions) }),
      ),
    ).toEqual(REFUSAL)
  })

  test('a response that was already used, or was signed by another key', async () => {
    const sensei = await server.createSensei()
    const { device } = await addPasskey(sensei)
    const { options } = (await server.anonymous.post('/passkey-sign-in/options')).body
    const response = device.sign(options)
    const forgedResponse = {
      ...createSoftAuthenticator(ORIGIN).sign(options),
      id: device.id,
      rawId: device.id,
    }
    expect(
      (await server.anonymous.post('/passkey-sign-in', { response: forgedResponse })).status,
    ).toBe(401)
    expect((await server.anonymous.post('/passkey-sign-in', { response })).status).toBe(200)
    expect((await server.anonymous.post('/passkey-sign-in', { response })).status).toBe(401)
  })

  test('a new passkey without the password, more than ten minutes after the sign-in', async () => {
    const sensei = await server.createSensei()
    moveClock(11 * MINUTE_MS)
    expect(getStatusAndDetail(await sensei.post('/passkey-options', {}))).toEqual([
      422,
      'Password is required',
    ])
    expect(
      getStatusAndDetail(await sensei.post('/passkey-options', { current_password: 'wrong' })),
    ).toEqual([422, 'Current password is not correct'])
    expect((await sensei.post('/passkey-options', { current_password: PASSWORD })).status).toBe(200)
  })

  test('every passkey if PUBLIC_URL is not https', async () => {
    const httpServer = await server.openServer({ publicUrl: 'http://tatami.test' })
    const response = await httpServer.http.inject({
      method: 'POST',
      url: '/api/passkey-sign-in/options',
    })
    expect([response.statusCode, response.json()]).toEqual([
      409,
      {
        detail:
          'Passkeys only work at an https address. Please ask the person who runs this server.',
      },
    ])
  })
})

test('removes only passkeys added since the change when an account is recovered', async () => {
  const sensei = await server.createSensei()
  await addPasskey(sensei, createSoftAuthenticator(ORIGIN), 'Mine')
  moveClock(10 * MINUTE_MS)
  const { token, account } = await server.db.withoutDojo(async (tx) => {
    const resetAccount = (await findAccountById(tx, sensei.id))!
    return { token: await storeRecoveryLink(tx, resetAccount), account: resetAccount }
  })
  const { options } = (await sensei.post('/passkey-options', { current_password: PASSWORD })).body
  await sensei.post('/passkeys', {
    name: 'The thief’s',
    response: createSoftAuthenticator(ORIGIN).make(options),
  })
  expect((await server.anonymous.post('/account-recovery', { recovery_token: token })).status).toBe(
    200,
  )
  const remainingKeys = await server.db.withoutDojo((tx) => listPasskeys(tx, account.id))
  expect(remainingKeys.map(({ name }) => name)).toEqual(['Mine'])
})
