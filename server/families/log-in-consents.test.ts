import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const CHILD = { name: 'Mia Ruiz', date_of_birth: '2016-03-01' }
const REFUSED = [
  403,
  'A parent or guardian has to agree before you can log in. Please ask your instructor.',
]

async function aDojoWithChild() {
  setClock('2026-11-26T12:00:00Z')
  const sensei = await server.createSensei()
  const child = await server.createStudent(sensei, CHILD)
  const guardian = await server.createGuardian(sensei, [child])
  const logIn = async () => {
    const { status, body } = await server.anonymous.post('/login', {
      email: child.email,
      password: 'Kiai2026!',
    })
    return [status, body.detail]
  }
  const record = (is_given: boolean, guardian_id = guardian.id) =>
    sensei.put(`/students/${child.id}/log-in-consent`, { guardian_id, is_given })
  return { sensei, child, guardian, logIn, record }
}

test('a child under 13 signs in only after a guardian has agreed, in the app or at the school', async () => {
  const { sensei, child, guardian, logIn, record } = await aDojoWithChild()
  expect(await logIn()).toEqual(REFUSED)
  expect((await record(true)).body).toEqual({ success: true })
  expect(await logIn()).toEqual([200, undefined])
  const { guardians } = (await sensei.get('/families')).body
  expect(guardians[0].students[0]).toMatchObject({
    allows_log_in: true,
    log_in_consent_at: expect.stringMatching(/^2026-11-26T12:00/),
  })
  await record(false)
  expect(await logIn()).toEqual(REFUSED)
  await guardian.put(`/family/students/${child.id}/log-in`, { is_allowed: true })
  expect(await logIn()).toEqual([200, undefined])
})

test('taking the consent back, or the guardian with it, signs the child out', async () => {
  const { sensei, child, guardian, record } = await aDojoWithChild()
  const signIn = async () => {
    await record(true)
    return server.signIn(child.email)
  }
  const endings = [
    () => record(false),
    () => guardian.put(`/family/students/${child.id}/log-in`, { is_allowed: false }),
    () => sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: false }),
  ]
  for (const end of endings) {
    await sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: true })
    const session = await signIn()
    expect((await session.get('/profile')).status).toBe(200)
    expect((await end()).status).toBe(200)
    expect((await session.get('/profile')).status).toBe(401)
  }
  await sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: true })
  const session = await signIn()
  await sensei.delete(`/guardians/${guardian.id}/students/${child.id}`)
  expect((await session.get('/profile')).status).toBe(401)
})

test('a corrected birthday signs out a child who turns out to be under 13', async () => {
  const { sensei } = await aDojoWithChild()
  const teen = await server.createStudent(sensei, { date_of_birth: '2012-03-01' })
  const session = await server.signIn(teen.email)
  const { student } = (await sensei.get(`/students/${teen.id}`)).body
  await sensei.put(`/students/${teen.id}`, { ...student, date_of_birth: '2016-03-01' })
  expect((await session.get('/profile')).status).toBe(401)
})

test('nobody needs consent from the 13th birthday on', async () => {
  const { logIn } = await aDojoWithChild()
  setClock('2029-02-28T12:00:00Z')
  expect(await logIn()).toEqual(REFUSED)
  setClock('2029-03-01T12:00:00Z')
  expect(await logIn()).toEqual([200, undefined])
})

test('only a guardian who sees the child can agree', async () => {
  const { sensei, logIn, record } = await aDojoWithChild()
  const stranger = await server.createGuardian(sensei, [
    await server.createStudent(sensei, { email: uniqueEmail('ben') }),
  ])
  expect((await record(true, stranger.id)).status).toBe(404)
  expect(await logIn()).toEqual(REFUSED)
})

test('a consent that ended does not come back with the right or the link', async () => {
  const { sensei, child, guardian, logIn, record } = await aDojoWithChild()
  const link = `/guardians/${guardian.id}/students/${child.id}`
  for (const end of [() => sensei.put(link, { sees: false }), () => sensei.delete(link)]) {
    await record(true)
    expect(await logIn()).toEqual([200, undefined])
    expect((await end()).status).toBe(200)
    expect((await sensei.put(link, { sees: true })).status).toBe(200)
    expect(await logIn()).toEqual(REFUSED)
    const { guardians } = (await sensei.get('/families')).body
    expect(guardians[0].students[0]).toMatchObject({
      allows_log_in: false,
      log_in_consent_at: null,
    })
  }
})
