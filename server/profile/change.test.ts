import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { createClients, startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createSettings = (changes: object = {}) => ({
  email: `new${Math.random()}@dojo.com`,
  dojo_name: 'New Dojo',
  phone_number: '512-555-0199',
  city: 'Round Rock',
  state: 'Ohio',
  ...changes,
})

test('changes an instructor’s settings and email, and ends all sessions', async () => {
  const sensei = await server.createSensei()
  const newSession = await server.signIn(sensei.email)
  const form = createSettings({ password: '' })
  expect((await sensei.put('/profile', form)).body).toEqual({
    success: true,
    message: 'Your profile was updated. Please log in again.',
  })
  expect([
    (await sensei.get('/profile')).status,
    (await newSession.get('/profile')).status,
  ]).toEqual([401, 401])
  const nextSession = await server.signIn(form.email)
  expect((await nextSession.get('/profile')).body).toMatchObject({
    name: 'Aiko Tanaka',
    email: form.email,
    dojo_name: 'New Dojo',
    phone_number: '512-555-0199',
    contact_number: '5125550100',
    city: 'Round Rock',
    state: 'Ohio',
  })
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.get('/super-admin/sensei')).body.sensei_list).toContainEqual(
    expect.objectContaining({
      email: form.email,
      contact_number: '512-555-0199',
      dojo_name: 'New Dojo',
    }),
  )
})

test('accepts the new password and rejects the old one', async () => {
  const sensei = await server.createSensei()
  const form = createSettings({ password: 'longer than eight' })
  await sensei.put('/profile', form)
  expect(
    (await server.anonymous.post('/login', { email: form.email, password: PASSWORD })).status,
  ).toBe(401)
  expect(
    (await server.anonymous.post('/login', { email: form.email, password: 'longer than eight' }))
      .status,
  ).toBe(200)
})

test('keeps fields that the form omits, and clears empty fields', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/profile', { email: sensei.email, dojo_name: 'Same', city: '' })
  const nextSession = await server.signIn(sensei.email)
  expect((await nextSession.get('/profile')).body).toMatchObject({
    phone_number: '5125550100',
    city: null,
    state: 'Texas',
  })
})

test.each([
  [{ email: '' }, 422, 'Email is required'],
  [{ email: 'a@dojo.org' }, 422, 'Email must have .com domain'],
  [{ dojo_name: ' ' }, 422, 'Dojo name is required'],
  [{ password: 'short' }, 422, 'Password must be at least 8 characters long'],
  [{ state: 'TX' }, 422, 'State is not valid'],
  [{ belt_test_name: 'exam' }, 422, 'Word for a belt test is not valid'],
  [{ time_zone: 'Texas' }, 422, 'Time zone is not valid'],
  [{ time_zone: 'Etc/GMT+99' }, 422, 'Time zone is not valid'],
])('refuses settings with %j and changes nothing', async (changes, status, detail) => {
  const sensei = await server.createSensei()
  const initialProfile = (await sensei.get('/profile')).body
  const refusal = await sensei.put('/profile', createSettings(changes))
  expect([refusal.status, refusal.body.detail]).toEqual([status, detail])
  expect((await sensei.get('/profile')).body).toEqual(initialProfile)
})

describe('an invited member of the staff', () => {
  test('may have any email, even after becoming an owner', async () => {
    const sensei = await server.createSensei()
    for (const is_owner of [false, true]) {
      const member = await server.createStaff(sensei, { is_owner })
      const email = `${member.id}@dojo.org`
      const { dojo_name } = (await member.get('/profile')).body
      expect((await member.put('/profile', { email, dojo_name })).status).toBe(200)
      const { body } = await (await server.signIn(email)).get('/profile')
      expect(body).toMatchObject({ email, staff: { has_registered: false } })
    }
  })
})

test('logs whether an instructor changed the school or their own phone number', async () => {
  const sensei = await server.createSensei()
  const staffMember = await server.createStaff(sensei, { rights: ['students.read'] })
  const { dojo_name } = (await staffMember.get('/profile')).body
  const save = async (person: { email: string }, changes: object) =>
    (await server.signIn(person.email)).put('/profile', {
      email: person.email,
      dojo_name,
      ...changes,
    })
  await save(staffMember, { phone_number: '512-555-0177' })
  await save(sensei, {})
  await save(sensei, { dojo_name: 'Round Rock Judo' })
  const { body: log } = await (await server.signIn(sensei.email)).get('/audit-log')
  const entries = log.map(({ actor, action }: { actor: string; action: string }) => [actor, action])
  expect(entries.slice(0, 2)).toEqual([
    ['Aiko Tanaka', 'dojo settings changed'],
    ['Kim Park', 'own phone changed'],
  ])
})

test('changes the time zone and the name of belt tests on every server', async () => {
  const secondServer = createClients((await server.openServer()).http)
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const remoteClient = secondServer.clientFor(student.token)
  expect([
    (await remoteClient.get('/profile')).body.time_zone,
    (await sensei.get('/profile')).body.time_zone,
  ]).toEqual(Array(2).fill('America/Chicago'))
  await sensei.put('/profile', {
    email: sensei.email,
    dojo_name: 'Judo',
    time_zone: 'Pacific/Auckland',
    belt_test_name: 'grading',
  })
  expect((await remoteClient.get('/profile')).body.belt_test_name).toBe('grading')
  expect((await remoteClient.get('/profile')).body.time_zone).toBe('Pacific/Auckland')
  const newSession = await server.signIn(sensei.email)
  await newSession.put('/profile', { email: sensei.email, dojo_name: 'Judo' })
  const lastSession = await server.signIn(sensei.email)
  expect((await lastSession.get('/profile')).body).toMatchObject({
    time_zone: 'Pacific/Auckland',
    belt_test_name: 'grading',
  })
})

test('computes the paid month in the new time zone on every server', async () => {
  const secondServer = createClients((await server.openServer()).http)
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { monthly_payment_amount: 80 })
  // In Chicago, it is still June 30. In Berlin, it is already July 1.
  setClock('2031-07-01T03:00:00Z')
  const localClient = await server.signIn(sensei.email)
  const remoteClient = secondServer.clientFor(localClient.token)
  const [student] = (await remoteClient.get('/students')).body
  await localClient.post('/payment-records', {
    student_id: student.id,
    payment_month: 5,
    payment_year: 2031,
    payment_status: 'paid',
  })
  await expect
    .poll(async () => (await remoteClient.get('/students')).body[0].current_month_paid)
    .toBe(true)
  await localClient.put('/profile', {
    email: sensei.email,
    dojo_name: 'Judo',
    time_zone: 'Europe/Berlin',
  })
  const newClient = secondServer.clientFor((await server.signIn(sensei.email)).token)
  await expect
    .poll(async () => (await newClient.get('/students')).body[0].current_month_paid)
    .toBe(false)
})

test('refuses an email that already has a login, and changes nothing', async () => {
  const sensei = await server.createSensei()
  const otherSensei = await server.createSensei()
  const refusal = await sensei.put('/profile', createSettings({ email: otherSensei.email }))
  expect([refusal.status, refusal.body]).toEqual([
    409,
    { detail: 'An account with this email already exists' },
  ])
  expect((await sensei.get('/profile')).body.dojo_name).toBe('Cedar Park Judo')
})

test('changes a student’s password and ends only their other sessions', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const otherSession = await server.signIn(student.email)
  const refusal = await student.put('/profile/password', {
    current_password: 'no',
    new_password: 'another one',
  })
  expect([refusal.status, refusal.body]).toEqual([
    422,
    {
      detail: 'Current password is not correct',
      errors: [{ field: 'current_password', message: 'Current password is not correct' }],
    },
  ])
  expect(
    (await student.put('/profile/password', { current_password: PASSWORD, new_password: 'short' }))
      .status,
  ).toBe(422)
  const { body } = await student.put('/profile/password', {
    current_password: PASSWORD,
    new_password: 'another one',
  })
  expect(body).toEqual({ success: true })
  expect([
    (await student.get('/profile')).status,
    (await otherSession.get('/profile')).status,
  ]).toEqual([200, 401])
  expect(
    (await server.anonymous.post('/login', { email: student.email, password: 'another one' }))
      .status,
  ).toBe(200)
})

test('counts wrong current passwords as failed sign-ins', async () => {
  const sensei = await server.createSensei()
  const guess = (current_password: string) =>
    sensei.put('/profile/password', { current_password, new_password: 'another one' })
  const guessedPasswords = Array.from({ length: 12 }, (_, index) => `guess ${index}`)
  const guesses = await Promise.all(guessedPasswords.map(guess))
  expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10)
  const refusal = await guess(PASSWORD)
  expect([refusal.status, refusal.body]).toEqual([
    429,
    { detail: 'Too many failed logins. Please try again later.' },
  ])
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
  setClock(new Date(Date.now() + 16 * 60_000).toISOString())
  expect((await guess(PASSWORD)).status).toBe(200)
})

test('lets a trial student join by invitation, but not by a replaced invitation', async () => {
  const sensei = await server.createSensei()
  const { invite_code, link, qr } = (await sensei.get('/invitation')).body
  expect([link, qr]).toEqual([
    `https://tatami.test/join/${invite_code}`,
    expect.stringMatching(/^data:image\/png;base64,/),
  ])
  const readInvitation = () => server.anonymous.get(`/register?invite_code=${invite_code}`)
  expect((await readInvitation()).body).toEqual({
    dojo_name: (await sensei.get('/profile')).body.dojo_name,
    plans: [],
    dojo_city: 'Austin',
    dojo_state: 'Texas',
    time_zone: 'America/Chicago',
    dojo_logo: null,
    dojo_color: null,
    classes: [],
  })
  const joinForm = {
    name: 'Mia Chen',
    email: `Mia${Math.random()}@Home.org`,
    password: PASSWORD,
    invite_code,
  }
  const registration = await server.anonymous.post('/register', joinForm)
  expect([registration.status, registration.body]).toEqual([
    200,
    {
      token: expect.any(String),
      user: expect.objectContaining({
        name: 'Mia Chen',
        email: joinForm.email.toLowerCase(),
        is_trial: true,
        phone_number: null,
        date_of_birth: null,
        gender: null,
        monthly_payment_amount: null,
        enrolled_classes: [],
      }),
    },
  ])
  expect((await server.clientFor(registration.body.token).get('/profile')).body.name).toBe(
    'Mia Chen',
  )
  expect((await sensei.get('/students')).body).toHaveLength(1)
  const newInvitation = (await sensei.post('/invitation')).body
  expect(newInvitation.invite_code).not.toBe(invite_code)
  const lateRegistration = await server.anonymous.post('/register', {
    ...joinForm,
    email: 'late@home.org',
  })
  for (const { status, body } of [lateRegistration, await readInvitation()])
    expect([status, body]).toEqual([400, { detail: 'This invitation is not valid' }])
  const repeatedRegistration = await server.anonymous.post('/register', {
    ...joinForm,
    invite_code: newInvitation.invite_code,
  })
  expect(repeatedRegistration.status).toBe(409)
})

test('counts a student who joined with only a name and an email', async () => {
  const sensei = await server.createSensei()
  const { invite_code } = (await sensei.get('/invitation')).body
  const registration = await server.anonymous.post('/register', {
    name: 'Mia Chen',
    email: `mia${Math.random()}@home.org`,
    password: PASSWORD,
    invite_code,
  })
  const { user } = registration.body
  expect((await sensei.get('/student-birthdays')).body).toEqual([])
  expect((await sensei.get('/dashboard/stats')).body).toMatchObject({
    total_students: 1,
    regular_students: 0,
    trial_students: 1,
    vacation_students: 0,
    students_to_approve: 1,
    changes: { total: 1, regular: 0, trial: 1, vacation: 0 },
  })
  const { body: paymentRecord } = await sensei.post('/payment-records', {
    student_id: user.id,
    payment_month: 0,
    payment_year: 2026,
    payment_status: 'paid',
  })
  expect(paymentRecord.monthly_payment_amount).toBe(0)
  const completedForm = exampleStudent({
    name: 'Mia Chen',
    email: user.email,
    class_preferences: ['travisso'],
  })
  expect((await sensei.put(`/students/${user.id}`, completedForm)).body.student).toMatchObject({
    date_of_birth: '2010-03-01',
    is_trial: false,
  })
})
