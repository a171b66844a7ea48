import { generateSync } from 'otplib'
import { afterEach, describe, expect, test } from 'vitest'
import { recoverSuperAdmin } from '../../accounts/first-super-admin.ts'
import { now } from '../../lib/clock.ts'
import { ADMIN, PASSWORD } from '../../test/fixtures.ts'
import { createSoftAuthenticator } from '../../test/soft-authenticator.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const superAdmin = await server.signInSuperAdmin()
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const requireSecondFactor = ({ super_admins = false, instructors = false } = {}) =>
  superAdmin.put('/super-admin/second-factor', { super_admins, instructors })
afterEach(() => requireSecondFactor())

const RESET_PASSWORD = 'set by the admin'
async function createSenseiWithResetPassword() {
  const sensei = await server.createSensei()
  await superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
    new_password: RESET_PASSWORD,
  })
  const { email } = sensei
  const { body } = await server.anonymous.post('/login', { email, password: RESET_PASSWORD })
  return { ...server.clientFor(body.token), email, user: body.user, earlierSession: sensei }
}

describe('after a super admin has set a password', () => {
  const STEP_REQUIRED = [403, 'Please choose a password of your own first.']

  test('the next session gets 403 until the owner chooses a password', async () => {
    const sensei = await createSenseiWithResetPassword()
    expect(sensei.user.sign_in_step).toBe('choose-password')
    expect((await sensei.get('/profile')).body.sign_in_step).toBe('choose-password')
    for (const path of ['/classes', '/notifications', '/sessions'])
      expect(getStatusAndDetail(await sensei.get(path))).toEqual(STEP_REQUIRED)
    expect(
      (await sensei.put('/profile/own-password', { new_password: 'chosen-by-me' })).body,
    ).toEqual({ success: true })
    expect((await sensei.get('/classes')).status).toBe(200)
    expect((await sensei.get('/profile')).body.sign_in_step).toBeNull()
    expect((await server.signIn(sensei.email, 'chosen-by-me')).token).toBeDefined()
  })

  test('the owner must choose another password, and can choose it only once', async () => {
    const sensei = await createSenseiWithResetPassword()
    expect(
      getStatusAndDetail(
        await sensei.put('/profile/own-password', { new_password: RESET_PASSWORD }),
      ),
    ).toEqual([
      422,
      'This is the password that was set for you. Choose one that nobody else knows.',
    ])
    await sensei.put('/profile/own-password', { new_password: 'chosen-by-me' })
    expect(
      (await sensei.put('/profile/own-password', { new_password: 'chosen-by-two' })).status,
    ).toBe(409)
  })

  test('a device that was signed in before gets the reason why its session ended', async () => {
    const { earlierSession } = await createSenseiWithResetPassword()
    expect(await earlierSession.get('/classes')).toMatchObject({
      status: 401,
      body: { detail: 'Authentication required. Please log in again.', reason: 'password-reset' },
    })
  })
})

describe('when a second factor is required', () => {
  const STEP_REQUIRED = [403, 'Please set up a passkey or an authenticator app first.']

  test('new sessions must set one up first, and open sessions continue', async () => {
    const sensei = await server.createSensei()
    expect((await requireSecondFactor({ instructors: true })).body).toEqual({
      super_admins: false,
      instructors: true,
    })
    expect((await sensei.get('/classes')).status).toBe(200)
    const newSession = await server.signIn(sensei.email)
    expect(getStatusAndDetail(await newSession.get('/classes'))).toEqual(STEP_REQUIRED)
    expect((await newSession.get('/profile')).body.sign_in_step).toBe('set-up-second-factor')
    await requireSecondFactor()
    expect((await newSession.get('/classes')).status).toBe(200)
    await requireSecondFactor({ instructors: true })
    expect((await newSession.get('/classes')).status).toBe(200)
    const thirdSession = await server.signIn(sensei.email)
    expect(getStatusAndDetail(await thirdSession.get('/classes'))).toEqual(STEP_REQUIRED)
    const { secret } = (await thirdSession.post('/authenticator', {})).body
    await thirdSession.put('/authenticator', {
      code: generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) }),
    })
    expect((await thirdSession.get('/classes')).status).toBe(200)
  })

  test('nothing changes for roles that do not need a second factor', async () => {
    await requireSecondFactor({ instructors: true })
    const student = await server.createStudent(await server.createSensei())
    expect((await student.get('/classes')).status).toBe(200)
    const listSensei = async () => {
      const client = await server.signInSuperAdmin()
      return client.get('/super-admin/sensei')
    }
    expect((await listSensei()).status).toBe(200)
    await requireSecondFactor({ super_admins: true })
    expect(getStatusAndDetail(await listSensei())).toEqual(STEP_REQUIRED)
  })

  test('a passkey is enough, and a password without it no longer works', async () => {
    await requireSecondFactor({ instructors: true })
    const sensei = await server.createSensei()
    const device = createSoftAuthenticator('https://tatami.test')
    const { options } = (await sensei.post('/passkey-options', {})).body
    const passkeyForm = { name: 'Phone', response: device.make(options) }
    const { recovery_codes } = (await sensei.post('/passkeys', passkeyForm)).body
    expect(recovery_codes).toHaveLength(10)
    const logInByPassword = (code?: string) =>
      server.anonymous.post('/login', {
        email: sensei.email,
        password: PASSWORD,
        ...(code && { code }),
      })
    expect(getStatusAndDetail(await logInByPassword())).toEqual([
      422,
      'Log in with your passkey, or enter a recovery code.',
    ])
    expect((await logInByPassword(recovery_codes[0])).body.user.sign_in_step).toBeNull()
    await requireSecondFactor()
    expect((await logInByPassword()).status).toBe(200)
  })

  test('a super admin can remove a lost second factor with the password', async () => {
    const sensei = await server.createSensei()
    const { secret } = (await sensei.post('/authenticator', {})).body
    await sensei.put('/authenticator', {
      code: generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) }),
    })
    const resetPassword = (body: object) =>
      superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
        new_password: RESET_PASSWORD,
        ...body,
      })
    const logIn = () =>
      server.anonymous.post('/login', { email: sensei.email, password: RESET_PASSWORD })
    await resetPassword({})
    expect((await logIn()).status).toBe(422)
    await resetPassword({ remove_second_factor: true })
    expect((await logIn()).body.user.sign_in_step).toBe('choose-password')
  })
})

test('lets the operator give a new password to a super admin who is locked out', async () => {
  const { secret } = (await superAdmin.post('/authenticator', {})).body
  await superAdmin.put('/authenticator', {
    code: generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) }),
  })
  expect((await server.anonymous.post('/login', ADMIN)).status).toBe(422)
  expect(await recoverSuperAdmin(server.db, (await server.createSensei()).email)).toBeNull()
  const password = (await recoverSuperAdmin(server.db, ADMIN.email))!
  const { body } = await server.anonymous.post('/login', { email: ADMIN.email, password })
  expect(body.user).toMatchObject({ is_super_admin: true, sign_in_step: 'choose-password' })
  Object.assign(superAdmin, server.clientFor(body.token))
  await superAdmin.put('/profile/own-password', { new_password: 'chosen-by-me' })
  expect((await superAdmin.get('/super-admin/sensei')).status).toBe(200)
})
