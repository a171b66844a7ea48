import { rightsOfPreset } from '@tatami/contract/rights'
import { generateSync } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveClock, now } from '../lib/clock.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { createSoftAuthenticator } from '../test/soft-authenticator.ts'
import { startTestServer } from '../test/test-server.ts'

const { smtpUrl, mailsTo } = await startMailServer()
const server = await startTestServer({ smtpUrl })

type Person = Awaited<ReturnType<typeof server.createSensei>>
let sensei: Person
let kim: Awaited<ReturnType<typeof server.createStaff>>
beforeEach(async () => {
  sensei = await server.createSensei({ dojo_name: 'Cedar Park Judo' })
  kim = await server.createStaff(sensei, { rights: rightsOfPreset('instructor') })
})

const confirmation = { current_password: PASSWORD }
const makeOwner = (caller: { post: Person['post'] }, id: string, fields: object = {}) =>
  caller.post(`/staff/${id}/ownership`, { ...confirmation, ...fields })
const removeOwner = (caller: { post: Person['post'] }, id: string, fields: object = {}) =>
  caller.post(`/staff/${id}/ownership/remove`, { ...confirmation, ...fields })
const isOwner = async ({ get }: { get: Person['get'] }) =>
  (await get('/profile')).body.staff.is_owner
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const CODE_REQUIRED = [422, 'Enter the code that your authenticator app shows, or a recovery code.']

/** Waits for `count` emails about owners, and returns the last one. */
async function waitForOwnerEmail(address: string, count = 1): Promise<string> {
  const findEmails = () =>
    mailsTo(address).filter((mail) =>
      mail.includes('Subject: The owners of Cedar Park Judo have changed'),
    )
  await expect.poll(() => findEmails().length, { timeout: 10_000 }).toBe(count)
  return findEmails().at(-1) ?? ''
}

const currentCode = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) })

/** Turns on an authenticator app, and waits until its next code. */
async function turnOnApp(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.post('/authenticator', {})).body
  const { body } = await person.put('/authenticator', { code: currentCode(secret) })
  moveClock(60_000)
  return { secret, recoveryCodes: body.recovery_codes }
}

describe('emails about owners', () => {
  test('go to the new owner and to all others', async () => {
    const lee = await server.createStaff(sensei, { is_owner: true })
    expect((await makeOwner(sensei, kim.id)).status).toBe(200)
    for (const { email } of [sensei, kim, lee])
      expect(await waitForOwnerEmail(email)).toContain(
        'Kim Park is now an owner of Cedar Park Judo.',
      )
  })

  test('go to the former and the new owner after a handover, with both names', async () => {
    await makeOwner(sensei, kim.id, { hands_over: true })
    for (const { email } of [sensei, kim]) {
      const mail = await waitForOwnerEmail(email)
      expect(mail).toContain('Kim Park is now an owner of Cedar Park Judo.')
      expect(mail).toContain('Aiko Tanaka is no longer an owner of Cedar Park Judo.')
    }
  })

  test('go to a removed owner', async () => {
    await makeOwner(sensei, kim.id)
    await waitForOwnerEmail(kim.email)
    await removeOwner(sensei, kim.id)
    for (const { email } of [sensei, kim])
      expect(await waitForOwnerEmail(email, 2)).toContain('Kim Park is no longer an owner')
  })

  test('are not sent if nothing changed', async () => {
    expect((await makeOwner(sensei, kim.id, { current_password: 'wrong' })).status).toBe(422)
    expect((await removeOwner(sensei, sensei.id)).status).toBe(409)
    expect((await makeOwner(kim, kim.id)).status).toBe(403)
    expect([...mailsTo(sensei.email), ...mailsTo(kim.email)]).toEqual([])
  })
})

describe('an owner with an authenticator app', () => {
  test('hands over with the password and a code of the app', async () => {
    const { secret } = await turnOnApp(sensei)
    expect(statusAndDetail(await makeOwner(sensei, kim.id, { hands_over: true }))).toEqual(
      CODE_REQUIRED,
    )
    const wrongCode = await makeOwner(sensei, kim.id, { hands_over: true, code: '000000' })
    expect(statusAndDetail(wrongCode)).toEqual([
      422,
      'This code is wrong. Each code works once, for half a minute.',
    ])
    expect([await isOwner(sensei), await isOwner(kim)]).toEqual([true, false])
    const code = currentCode(secret)
    expect((await makeOwner(sensei, kim.id, { hands_over: true, code })).status).toBe(200)
    expect([await isOwner(sensei), await isOwner(kim)]).toEqual([false, true])
  })

  test('removes another owner with a recovery code, which works once', async () => {
    await makeOwner(sensei, kim.id)
    const { recoveryCodes } = await turnOnApp(sensei)
    const [code] = recoveryCodes
    expect(statusAndDetail(await removeOwner(sensei, kim.id))).toEqual(CODE_REQUIRED)
    expect((await removeOwner(sensei, kim.id, { code })).status).toBe(200)
    expect((await makeOwner(sensei, kim.id, { code })).status).toBe(422)
  })
})

test('an owner with only a passkey confirms with a recovery code', async () => {
  await sensei.put('/staff/rules', { second_factor: 'owners' })
  const device = createSoftAuthenticator('https://tatami.test')
  const { options } = (await sensei.post('/passkey-options', {})).body
  const passkey = { name: 'Phone', response: device.make(options) }
  const { recovery_codes } = (await sensei.post('/passkeys', passkey)).body
  expect((await makeOwner(sensei, kim.id)).status).toBe(422)
  expect((await makeOwner(sensei, kim.id, { code: recovery_codes[0] })).status).toBe(200)
})

describe('a school whose only owner is gone', () => {
  const SET_BY_ADMIN = 'set-by-the-admin-1'
  const OWN_PASSWORD = 'chosen-by-the-heirs-2'

  test('gets a new owner through the super admin', async () => {
    await turnOnApp(sensei)
    const admin = await server.signInSuperAdmin()
    const path = `/super-admin/sensei/${sensei.id}/reset-password`
    const reset = { new_password: SET_BY_ADMIN, remove_second_factor: true }
    expect((await admin.put(path, reset)).status).toBe(200)
    expect((await sensei.get('/classes')).status).toBe(401)

    const login = { email: sensei.email, password: SET_BY_ADMIN }
    const { body } = await server.anonymous.post('/login', login)
    expect(body.user.sign_in_step).toBe('choose-password')
    const successor = server.clientFor(body.token)
    const handOver = { current_password: OWN_PASSWORD, hands_over: true }
    expect((await makeOwner(successor, kim.id, handOver)).status).toBe(403)
    await successor.put('/profile/own-password', { new_password: OWN_PASSWORD })
    expect((await makeOwner(successor, kim.id, handOver)).status).toBe(200)
    expect(await isOwner(kim)).toBe(true)
    const end = await kim.post(`/staff/${sensei.id}/end`, {})
    expect([end.status, (await successor.get('/classes')).status]).toEqual([200, 401])
  })

  test('learns by email and in the audit log what the super admin did', async () => {
    await turnOnApp(sensei)
    const admin = await server.signInSuperAdmin()
    const reset = { new_password: SET_BY_ADMIN, remove_second_factor: true }
    await admin.put(`/super-admin/sensei/${sensei.id}/reset-password`, reset)
    await expect
      .poll(() => mailsTo(sensei.email).some((mail) => mail.includes('password was reset')))
      .toBe(true)
    const { body: log } = await (
      await server.createStaff(sensei, { is_owner: true })
    ).get('/audit-log')
    expect(log.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['second factor removed', 'sensei password reset']),
    )
  })

  test('is the only case in which the super admin can reset a staff login', async () => {
    const admin = await server.signInSuperAdmin()
    const reset = { new_password: SET_BY_ADMIN }
    expect((await admin.put(`/super-admin/sensei/${kim.id}/reset-password`, reset)).status).toBe(
      404,
    )
    expect((await admin.get('/staff')).status).toBe(403)
  })
})
