import { describe, expect, test } from 'vitest'
import { exampleSensei, exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { refuseCommonPassword, refuseWords } from './password-rules.ts'

const COMMON =
  'Many people use this password, so it is among the first that are guessed. Choose another, three or four words that do not belong together for example.'
const OWN_WORDS =
  'This password is made of your name, your email or your dojo’s name, which are among the first that are guessed. Choose another, three or four words that do not belong together for example.'

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
  ])('%s is refused', (password) =>
    expect(refuseCommonPassword('password', password)).rejects.toThrow(COMMON),
  )

  test.each([
    PASSWORD,
    'Another2026',
    'set by the admin',
    'long enough',
    'パスワードパスワード',
    '3 lemons + a drum',
  ])('%s is taken', (password) =>
    expect(refuseCommonPassword('password', password)).resolves.toBeUndefined(),
  )
})

describe('one’s own words', () => {
  const ABOUT = ['Aiko Tanaka', 'aiko.t@cedar-judo.com', 'Cedar Park Judo', null]
  test.each([
    'AikoTanaka1',
    'tanaka-aiko',
    'CedarParkJudo2026!',
    'cedarpark',
    'Aiko2026!',
    'aiko.t@cedar-judo.com',
    'Judo12345',
  ])('%s is refused', (password) =>
    expect(() => refuseWords('password', password, ABOUT)).toThrow(OWN_WORDS),
  )

  test.each([PASSWORD, 'Aiko likes plums', '2026-10-14!', 'Parking lemons'])(
    '%s is taken',
    (password) => expect(refuseWords('password', password, ABOUT)).toBeUndefined(),
  )
})

describe('over HTTP', async () => {
  const server = await startTestServer()
  const refused = (field: string, message: string) => ({
    status: 422,
    body: { detail: message, errors: [{ field, message }] },
  })

  test('no new password is a common one, wherever it is chosen, and the old ones go on working', async () => {
    const sensei = await server.createSensei(),
      boss = await server.signInSuperAdmin()
    const common = 'Password1'
    const { invite_code } = (await sensei.get('/invitation')).body
    const registration = exampleSensei({ password: common, retype_password: common })
    expect(await server.anonymous.post('/sensei/register', registration)).toMatchObject(
      refused('password', COMMON),
    )
    const student = exampleStudent({ class_preferences: ['saturday'], password: common })
    expect(await sensei.post('/students', student)).toMatchObject(refused('password', COMMON))
    const join = { name: 'Mia Chen', email: 'mia@home.org', password: common, invite_code }
    expect(await server.anonymous.post('/register', join)).toMatchObject(
      refused('password', COMMON),
    )
    const settings = { email: sensei.email, dojo_name: 'Judo', password: common }
    expect(await sensei.put('/profile', settings)).toMatchObject(refused('password', COMMON))
    const change = { current_password: PASSWORD, new_password: common }
    expect(await sensei.put('/profile/password', change)).toMatchObject(
      refused('new_password', COMMON),
    )
    expect(
      await boss.put(`/super-admin/sensei/${sensei.id}/reset-password`, { new_password: common }),
    ).toMatchObject(refused('new_password', COMMON))
    expect((await server.signIn(sensei.email)).token).toBeDefined()
  })

  test('nor is it made of what the dojo knows of its owner', async () => {
    const sensei = await server.createSensei({ dojo_name: 'Harbourlight Karate' })
    const change = (new_password: string) =>
      sensei.put('/profile/password', { current_password: PASSWORD, new_password })
    for (const own of ['Harbourlight2026', 'AikoTanaka!', sensei.email])
      expect(await change(own)).toMatchObject(refused('new_password', OWN_WORDS))
    const student = exampleStudent({ class_preferences: ['saturday'], password: 'KenAdams1' })
    expect(await sensei.post('/students', student)).toMatchObject(refused('password', OWN_WORDS))
    expect((await change('plums and drums')).status).toBe(200)
  })
})
