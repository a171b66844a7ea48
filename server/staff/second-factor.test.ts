import { ALL_RIGHTS, rightsOfPreset, withoutRights } from '@tatami/contract/rights'
import { generateSync } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'
import { now } from '../lib/clock.ts'
import { createSoftAuthenticator } from '../test/soft-authenticator.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

let sensei: Awaited<ReturnType<typeof server.createSensei>>
beforeEach(async () => {
  sensei = await server.createSensei()
})
const setSecondFactorRule = (second_factor: string) => sensei.put('/staff/rules', { second_factor })
/** Reads what a person has to do first after a new login. */
const readSignInStep = async ({ email }: { email: string }) =>
  (await (await server.signIn(email)).get('/profile')).body.sign_in_step
const SET_UP = 'set-up-second-factor'

const currentCode = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) })

describe('a school that asks for a second factor', () => {
  test('asks nobody until an owner turns it on', async () => {
    expect((await sensei.get('/staff')).body.rules.second_factor).toBe('nobody')
    expect(await readSignInStep(sensei)).toBeNull()
  })

  test('asks only owners, or owners and staff with money rights', async () => {
    const people = {
      instructor: await server.createStaff(sensei, { rights: rightsOfPreset('instructor') }),
      desk: await server.createStaff(sensei, { rights: rightsOfPreset('desk') }),
      bookkeeper: await server.createStaff(sensei, { rights: rightsOfPreset('bookkeeper') }),
      assistant: await server.createStaff(sensei, { rights: rightsOfPreset('assistant') }),
      other: await server.createStaff(sensei, {
        rights: withoutRights('money.take', 'money.see'),
      }),
    }
    const readSteps = async () => {
      const entries = Object.entries({ owner: sensei, ...people }).map(
        async ([name, person]) => [name, await readSignInStep(person)] as const,
      )
      return Object.fromEntries(await Promise.all(entries))
    }
    const noSteps = { instructor: null, desk: null, bookkeeper: null, assistant: null, other: null }
    await setSecondFactorRule('owners')
    expect(await readSteps()).toEqual({ ...noSteps, owner: SET_UP })
    await setSecondFactorRule('money')
    expect(await readSteps()).toEqual({
      owner: SET_UP,
      instructor: SET_UP,
      desk: SET_UP,
      bookkeeper: SET_UP,
      assistant: null,
      other: null,
    })
  })

  test('lets open sessions continue, but new sessions only after the setup', async () => {
    await setSecondFactorRule('owners')
    expect((await sensei.get('/classes')).status).toBe(200)
    const newSession = await server.signIn(sensei.email)
    const refusal = await newSession.get('/classes')
    expect([refusal.status, refusal.body.detail]).toEqual([
      403,
      'Please set up a passkey or an authenticator app first.',
    ])
    expect((await newSession.get('/sign-in-methods')).body.is_required).toBe(true)
    const { secret } = (await newSession.post('/authenticator', {})).body
    await newSession.put('/authenticator', { code: currentCode(secret) })
    expect((await newSession.get('/classes')).status).toBe(200)
  })

  test('accepts a passkey, after which a password alone is not enough', async () => {
    await setSecondFactorRule('money')
    const desk = await server.createStaff(sensei, { rights: rightsOfPreset('desk') })
    const device = createSoftAuthenticator('https://tatami.test')
    const { options } = (await desk.post('/passkey-options', {})).body
    const passkey = { name: 'Phone', response: device.make(options) }
    const { recovery_codes } = (await desk.post('/passkeys', passkey)).body
    expect(recovery_codes).toHaveLength(10)
    const refusal = await server.anonymous.post('/login', {
      email: desk.email,
      password: 'Kiai2026!',
    })
    expect([refusal.status, refusal.body.detail]).toEqual([
      422,
      'Log in with your passkey, or enter a recovery code.',
    ])
  })

  test('stops asking as soon as the rule is off', async () => {
    await setSecondFactorRule('owners')
    const newSession = await server.signIn(sensei.email)
    expect((await newSession.get('/classes')).status).toBe(403)
    await setSecondFactorRule('nobody')
    expect((await newSession.get('/classes')).status).toBe(200)
  })

  test('asks a person who gets a money right at their next call', async () => {
    await setSecondFactorRule('money')
    const kim = await server.createStaff(sensei, { rights: ['roll'] })
    expect((await kim.get('/classes')).status).toBe(200)
    const grant = { preset: null, rights: ['money.take'], class_ids: null }
    await sensei.put(`/staff/${kim.id}`, grant)
    expect((await kim.get('/profile')).body.sign_in_step).toBe(SET_UP)
    expect((await kim.get('/classes')).status).toBe(403)
  })

  test('does not ask other schools, parents or students', async () => {
    await setSecondFactorRule('money')
    const otherSensei = await server.createSensei()
    const student = await server.createStudent(sensei, { name: 'Leo Adams' })
    const guardian = await server.createGuardian(sensei, [student])
    for (const person of [otherSensei, student, guardian])
      expect(await readSignInStep(person)).toBeNull()
  })

  test('only lets owners choose one of the three rules', async () => {
    const manager = await server.createStaff(sensei, {
      rights: ALL_RIGHTS.filter((right) => right !== 'export'),
    })
    expect((await manager.put('/staff/rules', { second_factor: 'nobody' })).status).toBe(403)
    const refusal = await setSecondFactorRule('everybody')
    expect([refusal.status, refusal.body.detail]).toEqual([422, 'Second factor is not valid'])
    await setSecondFactorRule('owners')
    await sensei.put('/staff/rules', { max_recipients: 20 })
    expect((await sensei.get('/staff')).body.rules).toMatchObject({
      second_factor: 'owners',
      max_recipients: 20,
    })
  })

  test('asks a new member of the staff right after the invitation', async () => {
    await setSecondFactorRule('money')
    const { body } = await sensei.post('/open-staff-invitations', {
      name: 'Kim Park',
      rights: ['money.take'],
    })
    const invitation = String(body.link).split('#')[1]
    const email = `kim-${sensei.id}@judo.org`
    const acceptance = await server.anonymous.post('/staff-invitations/accept', {
      invitation,
      email,
      password: 'Sunrise-Kite-7741',
    })
    expect(acceptance.body.user.sign_in_step).toBe(SET_UP)
  })
})
