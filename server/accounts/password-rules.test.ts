import { describe, expect, test } from 'vitest'
import { exampleSensei, exampleStudent, PASSWORD, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { isCommonPassword } from './password-rules.ts'

const COMMON_PASSWORD_MESSAGE =
  'Many people use this password, so it is easy to guess. Try three or four unrelated words.'
const PERSONAL_PASSWORD_MESSAGE =
  'This password uses your name, your email or your dojo’s name, so it is easy to guess. ' +
  'Try three or four unrelated words.'

describe('a common password', () => {
  test.each([
    'password',
    'Password1',
    'PASSWORD2026!',
    'baseball',
    'Football99',
    '12345678',
    'qwertyuiop',
    '1qaz2wsx',
    'Welcome1',
  ])('is %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true)
  })

  test.each([
    PASSWORD,
    'Another2026',
    'set by the admin',
    'long enough',
    'パスワードパスワード',
    '3 lemons + a drum',
  ])('is not %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(false)
  })
})

describe('the password rules', async () => {
  const server = await startTestServer()
  const expectedRefusal = (field: string, message: string) => ({
    status: 422,
    body: { detail: message, errors: [{ field, message }] },
  })

  async function submitEveryForm(password: string) {
    const sensei = await server.createSensei({ first_name: 'Aiko', last_name: 'Tanaka' })
    const superAdmin = await server.signInSuperAdmin()
    const { invite_code } = (await sensei.get('/invitation')).body
    const registration = exampleSensei({ password, retype_password: password })
    const studentForm = { name: 'Mia Chen', email: uniqueEmail('mia'), password, invite_code }
    const newStudent = exampleStudent({ class_preferences: ['saturday'], password })
    const guardianForm = {
      guardian: { name: 'Li Chen', relation: 'mother', phone: '512 555 0142' },
      children: [{ name: 'Leo Chen', date_of_birth: '2018-03-01' }],
      email: uniqueEmail('li'),
      password,
      invite_code,
    }
    const passwordChange = { current_password: PASSWORD, new_password: password }
    const settings = { email: sensei.email, dojo_name: 'Judo', password }
    const otherSensei = await server.createSensei()
    const resetPath = `/super-admin/sensei/${otherSensei.id}/reset-password`
    const chooseOwnPassword = async () => {
      await superAdmin.put(resetPath, { new_password: 'set by the admin' })
      const { token } = await server.signIn(otherSensei.email, 'set by the admin')
      return server.clientFor(token).put('/profile/own-password', { new_password: password })
    }
    const responses = [
      await server.anonymous.post('/sensei/register', registration),
      await sensei.post('/students', newStudent),
      await server.anonymous.post('/register', studentForm),
      await server.anonymous.post('/register/guardian', guardianForm),
      await sensei.put('/profile/password', passwordChange),
      await superAdmin.put(resetPath, { new_password: password }),
      await chooseOwnPassword(),
      await sensei.put('/profile', settings),
    ]
    return responses.map(({ status, body }) =>
      status === 200 ? 'accepted' : [status, body.detail],
    )
  }
  const FORM_COUNT = 8
  const setRule = async (rule: { refuses_common: boolean }) =>
    (await server.signInSuperAdmin()).put('/super-admin/password-rules', rule)

  test('accept every password that meets the specification, in every form', async () => {
    expect(await submitEveryForm('Password1')).toEqual(Array(FORM_COUNT).fill('accepted'))
    const instructor = await server.createSensei()
    const passwordForm = { current_password: PASSWORD, new_password: 'AikoTanaka1' }
    expect((await instructor.put('/profile/password', passwordForm)).status).toBe(200)
    // Only the registration of a sensei requires a capital letter.
    const [registration, ...otherResponses] = await submitEveryForm('12345678')
    expect(registration).toEqual([422, 'Password must contain at least one uppercase letter'])
    expect(otherResponses).toEqual(Array(FORM_COUNT - 1).fill('accepted'))
  })

  test('let a super admin forbid new common passwords, but accept existing ones', async () => {
    const instructor = await server.createSensei()
    await instructor.put('/profile/password', {
      current_password: PASSWORD,
      new_password: 'Password1',
    })
    const superAdmin = await server.signInSuperAdmin()
    expect((await superAdmin.get('/super-admin/password-rules')).body).toEqual({
      refuses_common: false,
    })
    expect(
      (await instructor.put('/super-admin/password-rules', { refuses_common: true })).status,
    ).toBe(403)
    expect((await setRule({ refuses_common: true })).body).toEqual({ refuses_common: true })
    expect((await superAdmin.get('/super-admin/password-rules')).body).toEqual({
      refuses_common: true,
    })
    expect(await submitEveryForm('Password1')).toEqual(
      Array.from({ length: FORM_COUNT }, () => [422, COMMON_PASSWORD_MESSAGE]),
    )
    expect((await server.signIn(instructor.email, 'Password1')).token).toBeDefined()
    expect((await superAdmin.get('/super-admin/audit-log')).body).toContainEqual(
      expect.objectContaining({
        action: 'common passwords switched',
        details: { refuses_common: true },
      }),
    )
    await setRule({ refuses_common: false })
    expect((await superAdmin.get('/super-admin/password-rules')).body).toEqual({
      refuses_common: false,
    })
  })

  test('also refuse passwords made of the person’s own names and email', async () => {
    await setRule({ refuses_common: true })
    const sensei = await server.createSensei({ dojo_name: 'Harbourlight Karate' })
    const changePassword = (new_password: string) =>
      sensei.put('/profile/password', { current_password: PASSWORD, new_password })
    for (const personalPassword of ['Harbourlight2026', 'AikoTanaka!', sensei.email])
      expect(await changePassword(personalPassword)).toMatchObject(
        expectedRefusal('new_password', PERSONAL_PASSWORD_MESSAGE),
      )
    const student = exampleStudent({ class_preferences: ['saturday'], password: 'KenAdams1' })
    expect(await sensei.post('/students', student)).toMatchObject(
      expectedRefusal('password', PERSONAL_PASSWORD_MESSAGE),
    )
    expect((await changePassword('plums and drums')).status).toBe(200)
    await setRule({ refuses_common: false })
  })

  test('let anyone check whether a password is common', async () => {
    const checkPassword = async (password: unknown) =>
      (await server.anonymous.post('/password-check', { password })).body
    expect(await checkPassword('Password1')).toEqual({ is_common: true })
    expect(await checkPassword('plums and drums')).toEqual({ is_common: false })
    expect(await checkPassword('x'.repeat(1001))).toMatchObject({ detail: 'Password is not valid' })
    expect(await checkPassword(7)).toMatchObject({ detail: 'Password is required' })
  })
})
