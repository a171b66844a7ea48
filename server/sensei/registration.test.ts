import { US_STATES } from '@tatami/contract/dojos/dojos'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { exampleSensei, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const { anonymous } = server
const register = (changes: object = {}) =>
  anonymous.post('/sensei/register', exampleSensei(changes))
const TAKEN_RESPONSE = [409, { detail: 'An account with this email already exists' }]
const RECEIVED_RESPONSE = [
  200,
  {
    success: true,
    message: 'Our admin team will activate your account. You can log in once it is active.',
    activation_time: 'one business day',
    emails_activation: false,
  },
]
const countRows = async () => {
  const {
    rows: [counts],
  } = await server.db.withoutDojo((tx) =>
    tx.execute<{ dojos: number; accounts: number }>(sql`
    select (select count(*)::int from dojos) as dojos, (select count(*)::int
      from accounts) as accounts`),
  )
  const { sensei_list } = (await (await server.signInSuperAdmin()).get('/super-admin/sensei')).body
  return { ...counts!, instructors: sensei_list.length }
}

test('accepts a registration without signing in', async () => {
  const form = exampleSensei()
  const { status, body } = await anonymous.post('/sensei/register', form)
  expect([status, body]).toEqual(RECEIVED_RESPONSE)
  expect((await anonymous.post('/login', { email: form.email, password: PASSWORD })).body).toEqual({
    detail: 'Your account is awaiting activation by the admin team.',
  })
})

test('creates a dojo with its first instructor', async () => {
  const form = exampleSensei({
    first_name: ' Zoë  Ann',
    last_name: 'Nguyễn ',
    contact_area_code: '737',
    contact_number: '5550123',
    city: 'San José',
    state: 'New Mexico',
    dojo_name: '空手 & Sons #1',
  })
  await anonymous.post('/sensei/register', form)
  const {
    sensei_list: [newestSensei],
  } = (await (await server.signInSuperAdmin()).get('/super-admin/sensei')).body
  expect(newestSensei).toEqual({
    sensei_id: expect.any(String),
    full_name: 'Zoë Ann Nguyễn',
    dojo_name: '空手 & Sons #1',
    contact_number: '7375550123',
    email: form.email,
    city: 'San José',
    state: 'New Mexico',
    total_students: 0,
    is_active: false,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    activity: { last_seen_on: null, texts: 0 },
  })
})

test('offers fifty different states', () => {
  expect(US_STATES).toHaveLength(50)
  expect(new Set(US_STATES).size).toBe(50)
})

test('notifies super admins', async () => {
  await register({ first_name: 'Mina', last_name: 'Okafor' })
  const [notice] = (await (await server.signInSuperAdmin()).get('/notifications')).body
  expect(notice).toMatchObject({ is_read: false, message: expect.stringContaining('Mina Okafor') })
})

describe('a refused registration creates nothing', () => {
  test.each([
    [{ first_name: '' }, 'First name is required'],
    [{ first_name: 'Aiko2' }, 'First name may contain letters and spaces only'],
    [{ last_name: undefined }, 'Last name is required'],
    [{ last_name: 'Oka\u202Efor' }, 'Last name may contain letters and spaces only'],
    [{ last_name: 'O’’Neil' }, 'Last name may contain letters and spaces only'],
    [{ email: '' }, 'Email is required'],
    [{ email: 'aiko@dojo' }, 'Email must be a valid email address'],
    [{ email: 'aiko@dojo.org' }, 'Email must have .com domain'],
    [{ contact_area_code: '' }, 'Area code is required'],
    [{ contact_area_code: '51' }, 'Area code must be 3 digits'],
    [{ contact_area_code: '5121' }, 'Area code must be 3 digits'],
    [{ contact_area_code: '5a2' }, 'Area code must be 3 digits'],
    [{ contact_number: null }, 'Phone number is required'],
    [{ contact_number: '555010' }, 'Phone number must be 7 digits'],
    [{ contact_number: '555-0100' }, 'Phone number must be 7 digits'],
    [{ contact_number: 5550100 }, 'Phone number is required'],
    [{ password: '', retype_password: '' }, 'Password must be at least 8 characters'],
    [{ password: 'Kiai2!', retype_password: 'Kiai2!' }, 'Password must be at least 8 characters'],
    [
      { password: 'kiai2026', retype_password: 'kiai2026' },
      'Password must contain at least one uppercase letter',
    ],
    [
      { password: 'KiaiKiai', retype_password: 'KiaiKiai' },
      'Password must contain at least one digit',
    ],
    [
      { password: `A1${'a'.repeat(127)}`, retype_password: `A1${'a'.repeat(127)}` },
      'Password must be at most 128 characters',
    ],
    [{ retype_password: 'Kiai2026?' }, 'Passwords do not match'],
    [{ retype_password: '' }, 'Retype password is required'],
    [{ city: '' }, 'City is required'],
    [{ city: 'Austin 2' }, 'City may contain letters and spaces only'],
    [{ state: '' }, 'State is required'],
    [{ state: 'TX' }, 'State is not valid'],
    [{ state: undefined }, 'State is required'],
    [{ dojo_name: '  ' }, 'Dojo name is required'],
    [{ dojo_name: 'a\u0000b' }, 'Dojo name must not contain control characters'],
  ])('with %j', async (changes, detail) => {
    const countsBefore = await countRows()
    const { status, body } = await register(changes)
    expect([status, body.detail, body.errors[0].field]).toEqual([
      422,
      detail,
      Object.keys(changes).at(detail === 'Passwords do not match' ? -1 : 0),
    ])
    expect(await countRows()).toEqual(countsBefore)
  })

  test('reports all errors together, the first as the detail', async () => {
    const { body } = await anonymous.post('/sensei/register', {})
    expect(body.detail).toBe('First name is required')
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'first_name',
      'last_name',
      'email',
      'contact_area_code',
      'contact_number',
      'password',
      'retype_password',
      'city',
      'state',
      'dojo_name',
    ])
  })

  test('rejects the email of any account, in upper or lower case', async () => {
    const sensei = await server.createSensei()
    const { email } = await server.createStudent(sensei, { email: 'pupil@home.com' })
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`update accounts set email = 'boss@dojo.com' where role = 'super-admin'`),
    )
    const {
      rows: [countsBefore],
    } = await server.db.withoutDojo((tx) =>
      tx.execute(
        sql`select (select count(*) from dojos) as dojos, (select count(*) from accounts) as accounts`,
      ),
    )
    for (const takenEmail of [sensei.email, sensei.email.toUpperCase(), email, 'boss@dojo.com']) {
      const { status, body } = await register({ email: takenEmail })
      expect([status, body]).toEqual(TAKEN_RESPONSE)
    }
    const {
      rows: [countsAfter],
    } = await server.db.withoutDojo((tx) =>
      tx.execute(
        sql`select (select count(*) from dojos) as dojos, (select count(*) from accounts) as accounts`,
      ),
    )
    expect(countsAfter).toEqual(countsBefore)
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`update accounts set email = 'admin@tatami.test' where role = 'super-admin'`),
    )
  })
})

test('accepts only one of several concurrent registrations with the same email', async () => {
  const countsBefore = await countRows()
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => register({ email: 'race@dojo.com' })),
  )
  expect(
    responses.toSorted((a, b) => a.status - b.status).map(({ status, body }) => [status, body]),
  ).toEqual([
    RECEIVED_RESPONSE,
    TAKEN_RESPONSE,
    TAKEN_RESPONSE,
    TAKEN_RESPONSE,
    TAKEN_RESPONSE,
    TAKEN_RESPONSE,
  ])
  expect(await countRows()).toEqual({
    dojos: countsBefore.dojos + 1,
    accounts: countsBefore.accounts + 1,
    instructors: countsBefore.instructors + 1,
  })
})

test('ignores unknown fields', async () => {
  const form = exampleSensei({
    is_active: true,
    role: 'super-admin',
    is_super_admin: true,
    dojo_id: '01970000-0000-7000-8000-000000000001',
    sensei_id: 'x',
  })
  expect((await anonymous.post('/sensei/register', form)).status).toBe(200)
  expect((await anonymous.post('/login', { email: form.email, password: PASSWORD })).status).toBe(
    403,
  )
})

test('refuses more than thirty registrations an hour from one IP address', async () => {
  const { http } = await server.openServer({ registrationsPerHour: 30 })
  const registerFrom = (remoteAddress: string) =>
    http.inject({ method: 'POST', url: '/api/sensei/register', payload: {}, remoteAddress })
  for (let i = 0; i < 30; i += 1) expect((await registerFrom('10.0.0.1')).statusCode).toBe(422)
  const refusal = await registerFrom('10.0.0.1')
  expect([refusal.statusCode, refusal.json()]).toEqual([
    429,
    { detail: 'Too many attempts. Please try again later.' },
  ])
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(3500)
  expect((await registerFrom('10.0.0.2')).statusCode).toBe(422)
})

test('returns the operator’s activation time, and promises a mail only with a mail server', async () => {
  const { http } = await server.openServer({
    activationTime: 'a few hours',
    smtpUrl: 'smtp://127.0.0.1:9',
  })
  const response = await http.inject({
    method: 'POST',
    url: '/api/sensei/register',
    payload: exampleSensei(),
  })
  expect(response.json()).toMatchObject({ activation_time: 'a few hours', emails_activation: true })
})
