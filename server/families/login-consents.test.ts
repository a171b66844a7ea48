import { toImportForm, parseSheet } from '@tatami/contract/import/sheet'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { accounts, sessions } from '../accounts/tables.ts'
import { students } from '../students/tables.ts'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { waitForLock } from '../test/locks.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const CHILD = { name: 'Mia Ruiz', date_of_birth: '2016-03-01' }
const REFUSAL = [
  403,
  'A parent or guardian has to agree before you can log in. Please ask your instructor.',
]

type Client = Awaited<ReturnType<typeof server.signIn>>
type LinkedGuardian = { id: string; name: string; students: { student_id: string }[] }

/** Returns the status codes of two requests in a child’s session. */
async function readStatuses(session: Client): Promise<number[]> {
  const profile = await session.get('/profile')
  const passwords = { current_password: 'Kiai2026!', new_password: 'eight8-8' }
  const password = await session.put('/profile/password', passwords)
  return [profile.status, password.status]
}

/** Imports a table whose first row has the headings, and returns the id of the import. */
async function importSheet(sensei: Pick<Client, 'post'>, table: string[][]): Promise<string> {
  const { body } = await sensei.post(
    '/student-imports',
    toImportForm(parseSheet(table, '2026-11-26')),
  )
  return body.import.id
}

async function setUpDojoWithChild() {
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
  const recordConsent = (is_given: boolean, guardian_id = guardian.id) =>
    sensei.put(`/students/${child.id}/log-in-consent`, { guardian_id, is_given })
  return { sensei, child, guardian, logIn, recordConsent }
}

test('lets a child under 13 log in only with a guardian’s consent', async () => {
  const { sensei, child, guardian, logIn, recordConsent } = await setUpDojoWithChild()
  expect(await logIn()).toEqual(REFUSAL)
  expect((await recordConsent(true)).body).toEqual({ success: true })
  expect(await logIn()).toEqual([200, undefined])
  const { guardians } = (await sensei.get('/families')).body
  expect(guardians[0].students[0]).toMatchObject({
    allows_log_in: true,
    log_in_consent_at: expect.stringMatching(/^2026-11-26T12:00/),
  })
  await recordConsent(false)
  expect(await logIn()).toEqual(REFUSAL)
  await guardian.put(`/family/students/${child.id}/log-in`, { is_allowed: true })
  expect(await logIn()).toEqual([200, undefined])
})

test('logs the child out when the consent or the guardian is removed', async () => {
  const { sensei, child, guardian, recordConsent } = await setUpDojoWithChild()
  const signIn = async () => {
    await recordConsent(true)
    return server.signIn(child.email)
  }
  const consentEndings = [
    () => recordConsent(false),
    () => guardian.put(`/family/students/${child.id}/log-in`, { is_allowed: false }),
    () => sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: false }),
  ]
  for (const endConsent of consentEndings) {
    await sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: true })
    const session = await signIn()
    expect((await session.get('/profile')).status).toBe(200)
    expect((await endConsent()).status).toBe(200)
    expect((await session.get('/profile')).status).toBe(401)
  }
  await sensei.put(`/guardians/${guardian.id}/students/${child.id}`, { sees: true })
  const session = await signIn()
  await sensei.delete(`/guardians/${guardian.id}/students/${child.id}`)
  expect((await session.get('/profile')).status).toBe(401)
})

describe('a logged-in child under 13 is logged out', () => {
  test('when the guardian who agreed is deleted', async () => {
    const { sensei, child, guardian, logIn, recordConsent } = await setUpDojoWithChild()
    await recordConsent(true)
    const session = await server.signIn(child.email)
    expect((await sensei.delete(`/guardians/${guardian.id}`)).status).toBe(200)
    expect(await readStatuses(session)).toEqual([401, 401])
    expect(await logIn()).toEqual(REFUSAL)
  })

  test('when the last of two agreeing guardians is deleted, and not before', async () => {
    const { sensei, child, guardian, recordConsent } = await setUpDojoWithChild()
    const father = await server.createGuardian(sensei, [child], { name: 'Luis Ruiz' })
    await recordConsent(true)
    await recordConsent(true, father.id)
    const session = await server.signIn(child.email)
    await sensei.delete(`/guardians/${guardian.id}`)
    expect((await session.get('/profile')).status).toBe(200)
    await sensei.delete(`/guardians/${father.id}`)
    expect(await readStatuses(session)).toEqual([401, 401])
  })

  test('when undoing a family deletes the guardian who came with it', async () => {
    const { sensei } = await setUpDojoWithChild()
    const child = await server.createStudent(sensei, CHILD)
    const family = await sensei.post('/families', {
      guardian: { name: 'Rosa Diaz', phone: '(512) 555-0177' },
      students: [{ student_id: child.id, log_in: 'keep' }],
    })
    const guardian_id = family.body.guardian.id
    await sensei.put(`/students/${child.id}/log-in-consent`, { guardian_id, is_given: true })
    const session = await server.signIn(child.email)
    expect((await sensei.post(`/families/changes/${family.body.change.id}/undo`)).status).toBe(200)
    expect(await readStatuses(session)).toEqual([401, 401])
  })

  test('when undoing a family returns a login without consent', async () => {
    const { sensei } = await setUpDojoWithChild()
    const child = await server.createStudent(sensei, { date_of_birth: '2012-03-01' })
    const session = await server.signIn(child.email)
    const family = await sensei.post('/families', {
      guardian: { name: 'Rosa Diaz', phone: '(512) 555-0177' },
      students: [{ student_id: child.id, log_in: 'move' }],
    })
    const { student } = (await sensei.get(`/students/${child.id}`)).body
    await sensei.put(`/students/${child.id}`, { ...student, date_of_birth: '2016-03-01' })
    expect((await session.get('/profile')).status).toBe(200)
    await sensei.post(`/families/changes/${family.body.change.id}/undo`)
    expect(await readStatuses(session)).toEqual([401, 401])
  })

  test('when an import fills in the date of birth', async () => {
    const { sensei } = await setUpDojoWithChild()
    const child = await server.createStudent(sensei, { ...CHILD, name: 'Nina Ortiz' })
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.update(students).set({ date_of_birth: null }).where(eq(students.id, child.id)),
    )
    const session = await server.signIn(child.email)
    expect((await session.get('/profile')).status).toBe(200)
    await importSheet(sensei, [
      ['Name', 'Email', 'Birthday'],
      ['Nina Ortiz', child.email, '2016-03-01'],
    ])
    expect(await readStatuses(session)).toEqual([401, 401])
  })

  test('when the consent ends while the child is logging in', async () => {
    const { child, recordConsent } = await setUpDojoWithChild()
    await recordConsent(true)
    let withdrawal: ReturnType<typeof recordConsent> | undefined
    await server.db.withoutDojo(async (tx) => {
      // Does what a login does: locks the account, reads the consent, and opens a session.
      await tx.select().from(accounts).where(eq(accounts.id, child.id)).for('share')
      withdrawal = recordConsent(false)
      await waitForLock(server.adminUrl)
      await openSession(tx, child.id)
    })
    expect((await withdrawal)?.status).toBe(200)
    const sessionCount = await server.db.withoutDojo((tx) =>
      tx.$count(sessions, eq(sessions.account_id, child.id)),
    )
    expect(sessionCount).toBe(0)
  })
})

test('ends guardians’ rights when an import fills in an adult’s date of birth', async () => {
  const { sensei } = await setUpDojoWithChild()
  const adult = await server.createStudent(sensei, { name: 'Nina Ortiz' })
  await server.createGuardian(sensei, [adult])
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.update(students).set({ date_of_birth: null }).where(eq(students.id, adult.id)),
  )
  await importSheet(sensei, [
    ['Name', 'Email', 'Birthday'],
    ['Nina Ortiz', adult.email, '1999-03-01'],
  ])
  const { guardians } = (await sensei.get('/families')).body
  const links = guardians.flatMap((guardian: LinkedGuardian) => guardian.students)
  expect(
    links.find(({ student_id }: { student_id: string }) => student_id === adult.id),
  ).toMatchObject({ sees: false, ended_by_age: true })
})

test('logs a child out when a corrected birthday makes them younger than 13', async () => {
  const { sensei } = await setUpDojoWithChild()
  const student13 = await server.createStudent(sensei, { date_of_birth: '2012-03-01' })
  const session = await server.signIn(student13.email)
  const { student } = (await sensei.get(`/students/${student13.id}`)).body
  await sensei.put(`/students/${student13.id}`, { ...student, date_of_birth: '2016-03-01' })
  expect((await session.get('/profile')).status).toBe(401)
})

test('requires no consent after the 13th birthday', async () => {
  const { logIn } = await setUpDojoWithChild()
  setClock('2029-02-28T12:00:00Z')
  expect(await logIn()).toEqual(REFUSAL)
  setClock('2029-03-01T12:00:00Z')
  expect(await logIn()).toEqual([200, undefined])
})

test('accepts consent only from a guardian who sees the child', async () => {
  const { sensei, logIn, recordConsent } = await setUpDojoWithChild()
  const stranger = await server.createGuardian(sensei, [
    await server.createStudent(sensei, { email: uniqueEmail('ben') }),
  ])
  expect((await recordConsent(true, stranger.id)).status).toBe(404)
  expect(await logIn()).toEqual(REFUSAL)
})

test('does not restore the consent when the link or the right to see is restored', async () => {
  const { sensei, child, guardian, logIn, recordConsent } = await setUpDojoWithChild()
  const link = `/guardians/${guardian.id}/students/${child.id}`
  for (const endConsent of [() => sensei.put(link, { sees: false }), () => sensei.delete(link)]) {
    await recordConsent(true)
    expect(await logIn()).toEqual([200, undefined])
    expect((await endConsent()).status).toBe(200)
    expect((await sensei.put(link, { sees: true })).status).toBe(200)
    expect(await logIn()).toEqual(REFUSAL)
    const { guardians } = (await sensei.get('/families')).body
    expect(guardians[0].students[0]).toMatchObject({
      allows_log_in: false,
      log_in_consent_at: null,
    })
  }
})
