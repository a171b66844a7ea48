import { endpoints } from '@tatami/contract/api'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { exampleSensei, exampleStudent, PASSWORD } from './fixtures.ts'
import { createSampleDojo } from './sample-rows.ts'
import { createSoftAuthenticator } from './soft-authenticator.ts'
import { createClients, startTestServer, TEST_SETTINGS } from './test-server.ts'
import { injectOptions, validRequestParts } from './valid-requests.ts'

const server = await startTestServer()
const logLines: string[] = []
const http = await buildApp({
  db: server.db,
  pubsub: server.pubsub,
  env: { ...TEST_SETTINGS, logLevel: 'trace' },
  logTo: { write: (line) => void logLines.push(line) },
})
const { anonymous, clientFor, signIn } = createClients(http)

/** Signs in. Returns the token, and all secrets that must not be in the log. */
async function signInForSecrets(email: string) {
  const { token } = await signIn(email)
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ password_hash: string; token_hash: string }>(
      sql`select password_hash, token_hash from accounts a join sessions s on s.account_id = a.id
          where email = ${email}`,
    ),
  )
  return { token, secrets: [PASSWORD, token, ...rows.flatMap(Object.values)] }
}
const readLog = () => logLines.join('')
const findInLog = (secrets: string[]) => secrets.filter((secret) => readLog().includes(secret))

test('the log contains requests, but no password, token or hash', async () => {
  const sensei = await server.createSensei()
  const { token, secrets } = await signInForSecrets(sensei.email)
  const student = exampleStudent({ class_preferences: ['saturday'], password: 'a-student-secret' })
  await anonymous.post('/login', {
    email: sensei.email,
    password: 'a-wrong-secret',
    code: 'a-secret-code',
  })
  await anonymous.post(
    '/sensei/register',
    exampleSensei({ password: 'Another1secret', retype_password: 'Another2secret' }),
  )
  const { post, put, get } = clientFor(token)
  await post('/students', student)
  await post('/students', { ...student, email: 'not an address' })
  await get('/attendance?student_id=in-the-address')
  secrets.push((await post('/authenticator', {})).body.secret)
  await put('/authenticator', { code: 'another-secret-code' })
  const { options } = (await post('/passkey-options', {})).body
  await post('/passkeys', {
    name: 'Phone',
    response: createSoftAuthenticator('https://tatami.test').make(options),
  })
  secrets.push(
    options.challenge,
    ...(await post('/recovery-codes', { current_password: PASSWORD })).body.recovery_codes,
  )
  const { invite_code } = (await get('/invitation')).body
  await anonymous.get(`/register?invite_code=${invite_code}`)
  await http.inject({ url: `/join/${invite_code}` })
  const calendarPath = new URL((await post('/calendar-feed')).body.url).pathname
  expect((await http.inject({ url: calendarPath })).statusCode).toBe(200)
  secrets.push(calendarPath.split('.')[1]!)
  await http.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'content-type': 'application/json' },
    payload: '{"password": "a-broken-secret',
  })
  await http.inject({
    url: `/api/profile?token=${token}`,
    headers: { authorization: `Bearer ${token}`, cookie: 'c=a-cookie-secret' },
  })
  expect(readLog()).toContain('"path":"/api/students"')
  expect(
    findInLog([...secrets, 'secret', 'in-the-address', 'Bearer', student.email, invite_code]),
  ).toEqual([])
})

test('the log says what failed and where, without secrets', async () => {
  const sensei = await server.createSensei()
  const { token, secrets } = await signInForSecrets(sensei.email)
  const senseiClient = clientFor(token)
  logLines.length = 0
  const failingCalls: [table: string, call: () => Promise<{ status: number }>][] = [
    ['sessions', () => anonymous.post('/login', { email: sensei.email, password: PASSWORD })],
    [
      'students',
      () =>
        senseiClient.post(
          '/students',
          exampleStudent({ name: 'Secret Name', class_preferences: ['saturday'] }),
        ),
    ],
    [
      'accounts',
      () => anonymous.post('/sensei/register', exampleSensei({ email: 'secret@dojo.com' })),
    ],
  ]
  for (const [table, makeCall] of failingCalls) {
    await runWithoutTable(table, async () => expect((await makeCall()).status).toBe(500))
    expect(readLog()).toContain(`relation \\"${table}\\" does not exist`)
  }
  expect(readLog()).toMatch(/"stack":".*sign-in\.ts/)
  expect(
    findInLog([...secrets, '$argon2id', 'Secret Name', 'secret@dojo.com', sensei.email]),
  ).toEqual([])
})

test('the log contains no values from paths and queries', async () => {
  const sensei = await server.createSensei()
  const { token } = await signIn(sensei.email)
  const ids = await createSampleDojo(server.db)
  logLines.length = 0
  const values = new Set<string>()
  for (const endpoint of endpoints)
    for (const parts of fc.sample(validRequestParts(endpoint, ids), { seed: 3, numRuns: 2 })) {
      const { url, method } = injectOptions(endpoint, parts)
      await http.inject({ method, url: `${url}?phone=%2B15125550142&search=ken@home.org` })
      for (const value of Object.values(parts.params)) values.add(String(value))
    }
  for (const path of ['/api/sms/fones/+15125550142', '/join/x/+15125550142', '/+15125550142'])
    await http.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
  expect(logLines.length).toBeGreaterThan(endpoints.length)
  expect(readLog()).toContain('"path":"/api/sms/conversations/:phone/messages"')
  expect([...values].filter((value) => value.length > 8 && readLog().includes(value))).toEqual([])
  expect(findInLog(['5125550142', 'ken@home.org'])).toEqual([])
})

/** Runs `makeCall` while a table is missing. */
async function runWithoutTable(table: string, makeCall: () => Promise<void>) {
  const admin = new pg.Client({ connectionString: server.adminUrl })
  await admin.connect()
  await admin.query(`alter table ${table} rename to away`)
  await makeCall()
  await admin.query(`alter table away rename to ${table}`)
  await admin.end()
}
