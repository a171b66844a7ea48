import { expect, test } from 'vitest'
import pg from 'pg'
import { openSession } from '../accounts/sessions.ts'
import { INCOMING_PATH, STATUS_PATH } from '../texting/callback-urls.ts'
import { exampleClass, exampleStudent } from './fixtures.ts'
import { startTestServer } from './test-server.ts'
import { grantEverything } from './grant-everything.ts'
import { digestRows, plantCanaries, findCanaryTables } from './canaries.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'

const server = await startTestServer()
const theirSensei = await server.createSensei()
const ourSensei = await server.createSensei()
const authorizationHeader = ({ token }: { token?: string }) => ({
  authorization: `Bearer ${token}`,
})

test('two dojos can use the same Idempotency-Key', async () => {
  const theirClass = await server.createClass(theirSensei)
  const ourClass = await server.createClass(ourSensei)
  await server.createStudent(theirSensei, { enrolled_classes: [theirClass.id] })
  const headers = { 'idempotency-key': 'monday' }
  const send = (sender: typeof ourSensei, text: string, dojoClass: { id: string }) =>
    server.http.inject({
      method: 'POST',
      url: '/api/sms/send-bulk-message',
      headers: { ...authorizationHeader(sender), ...headers },
      payload: {
        message_type: 'special_announcement',
        custom_message: text,
        selected_classes: [dojoClass.id],
      },
    })
  const theirResponse = await send(theirSensei, 'No class today.', theirClass)
  expect([theirResponse.statusCode, theirResponse.json().total_recipients]).toEqual([200, 1])
  expect((await send(theirSensei, 'Something else.', theirClass)).statusCode).toBe(409)
  const ourResponse = await send(ourSensei, 'Belt test on Monday.', ourClass)
  expect([ourResponse.statusCode, ourResponse.json().total_recipients]).toEqual([200, 0])
  expect(ourResponse.json().batch_id).not.toBe(theirResponse.json().batch_id)
})

test('the ETag of one account’s notifications does not match for another account', async () => {
  await server.createStudent(theirSensei)
  const superAdmin = await server.signInSuperAdmin()
  await superAdmin.get('/notifications')
  const request = { url: '/api/notifications', headers: authorizationHeader(superAdmin) }
  const {
    headers: { etag },
  } = await server.http.inject(request)
  expect(
    (
      await server.http.inject({
        ...request,
        headers: { ...request.headers, 'if-none-match': String(etag) },
      })
    ).statusCode,
  ).toBe(304)
  expect(
    (
      await server.http.inject({
        url: request.url,
        headers: { ...authorizationHeader(ourSensei), 'if-none-match': String(etag) },
      })
    ).statusCode,
  ).toBe(200)
})

test('no dojo gets data that the server cached for another dojo', async () => {
  const polledCalls = [
    '/students',
    '/notifications',
    '/notifications/unread-count',
    '/sms/inbox/unread-count',
  ]
  const initialResponses = await Promise.all(polledCalls.map((path) => ourSensei.get(path)))
  const { id } = await server.createStudent(theirSensei)
  for (let round = 0; round < 3; round += 1) {
    expect(
      (await theirSensei.get('/students')).body.map((student: { id: string }) => student.id),
    ).toContain(id)
    for (const [index, path] of polledCalls.entries())
      expect((await ourSensei.get(path)).body).toEqual(initialResponses[index]!.body)
  }
})

test('ignores fields in a request body that only the server may set', async () => {
  const {
    rows: [theirAccount],
  } = await asOverseer<{ dojo_id: string }>(
    `select dojo_id from accounts where id = '${theirSensei.id}'`,
  )
  const serverFields = {
    dojo_id: theirAccount!.dojo_id,
    id: theirSensei.id,
    role: 'super-admin',
    is_active: true,
    is_super_admin: true,
    is_instructor: true,
    password_hash: 'x',
    created_at: '2000-01-01',
  }
  const form = exampleStudent({ class_preferences: ['saturday'], ...serverFields })
  const { id } = (await ourSensei.post('/students', form)).body.student
  const student = await server.signIn(form.email)
  expect((await server.clientFor(student.token).get('/profile')).body).toMatchObject({
    is_super_admin: false,
    is_instructor: false,
  })
  const newClass = (await ourSensei.post('/classes', exampleClass(serverFields))).body
  const { rows } = await asOverseer<{ dojo_id: string; role: string | null }>(
    `select dojo_id, role from accounts where id = '${id}' union all select dojo_id, ` +
      `null from classes where id = '${newClass.id}'`,
  )
  const {
    rows: [ownAccount],
  } = await asOverseer<{ dojo_id: string }>(
    `select dojo_id from accounts where id = '${ourSensei.id}'`,
  )
  expect(rows).toEqual([
    { dojo_id: ownAccount!.dojo_id, role: 'student' },
    { dojo_id: ownAccount!.dojo_id, role: null },
  ])
  expect(newClass.id).not.toBe(theirSensei.id)
})

test('an unsigned webhook request changes nothing and gets no data', async () => {
  const dojo = await createSampleDojo(server.db)
  await grantEverything(server)
  await plantCanaries(server.db, dojo)
  const overseer = new pg.Client({ connectionString: server.adminUrl })
  await overseer.connect()
  // No row contains `nobody`, so no rows are left out.
  const readDigest = () =>
    digestRows(overseer, ['dojos', ...Object.keys(SAMPLE_ROWS)], dojo, ['nobody'])
  const sessionToken = await server.db.withoutDojo((tx) => openSession(tx, dojo.instructor_id))
  const digestBefore = await readDigest()
  const forms = [
    `MessageSid=SM${'0'.repeat(32)}&MessageStatus=failed&ErrorCode=21610`,
    `MessageSid=SM${'0'.repeat(32)}&From=%2B15125550142&Body=STOP`,
    'MessageSid=a&MessageSid=b&__proto__=x',
    '',
    '%',
    'x'.repeat(100_000),
  ]
  for (const url of [STATUS_PATH, INCOMING_PATH, `${STATUS_PATH}?MessageSid=x`]) {
    for (const headers of [
      {},
      authorizationHeader(ourSensei),
      { authorization: `Bearer ${sessionToken}` },
      authorizationHeader(await server.signInSuperAdmin()),
      { 'x-twilio-signature': '' },
      { 'x-twilio-signature': 'AAAA' },
    ]) {
      for (const payload of forms) {
        const response = await server.http.inject({
          method: 'POST',
          url,
          payload,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        })
        expect([response.statusCode, response.json()]).toEqual([
          403,
          { detail: 'The signature is not valid' },
        ])
        expect(findCanaryTables(response.payload)).toEqual([])
      }
    }
  }
  expect(await readDigest()).toBe(digestBefore)
  await overseer.end()
})

async function asOverseer<Row extends object>(query: string) {
  const client = new pg.Client({ connectionString: server.adminUrl })
  await client.connect()
  const response = await client.query<Row>(query)
  await client.end()
  return response
}
