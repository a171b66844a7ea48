import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { chooseProvider } from './service.ts'
import { startWorker } from './delivery/worker.ts'

const server = await startTestServer()
const errors: unknown[] = []
const stopWorker = startWorker({
  db: server.db,
  pubsub: server.pubsub,
  provider: chooseProvider(
    { publicUrl: 'http://localhost', smsProvider: 'simulator', smsPerSecond: 1000 },
    server.db,
  ),
  perSecond: 1000,
  onError: (error) => errors.push(error),
})
afterAll(stopWorker)

const cancellation = {
  message_type: 'weather_cancel',
  custom_message: 'Hi {name}, no class today.',
}
type ApiReader = { get: (path: string) => Promise<{ body: any }> }
const readBatch = async (sensei: ApiReader, id: string) =>
  (await sensei.get(`/sms/batches/${id}`)).body

test('sends a bulk message to eligible students, and shows its delivery', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { name: 'Mia Chen' })
  await server.createStudent(sensei, { name: 'No Phone', phone_number: '123' })
  const { status, body } = await sensei.post('/sms/send-bulk-message', cancellation)
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      success_count: 1,
      successful_sends: 1,
      total_recipients: 1,
      total_texts: 1,
      batch_id: expect.any(String),
      skipped: [{ student_id: expect.any(String), name: 'No Phone', reason: 'no_valid_phone' }],
    },
  ])
  await expect
    .poll(async () => (await readBatch(sensei, body.batch_id)).counts, { timeout: 15_000 })
    .toEqual({
      total: 1,
      pending: 0,
      waiting: 0,
      queued: 0,
      sent: 0,
      delivered: 1,
      failed: 0,
      uncertain: 0,
      skipped: 1,
      acknowledged: 0,
    })
  const { texts } = await readBatch(sensei, body.batch_id)
  expect(texts).toMatchObject([
    {
      name: 'Mia Chen',
      state: 'delivered',
      text: 'Hi Mia, no class today.',
      phone_number: '+15125550142',
      reason: null,
      may_send_again: false,
    },
    { name: 'No Phone', state: 'skipped', reason: 'No valid phone number', text: null },
  ])
  expect((await sensei.get('/sms/simulated')).body).toMatchObject([
    {
      name: 'Mia Chen',
      students: [{ name: 'Mia Chen' }],
      text: 'Hi Mia, no class today.',
      state: 'delivered',
    },
  ])
  expect((await sensei.get('/daily-message-usage')).body).toMatchObject({
    message_count: 1,
    daily_limit: 300,
    remaining_messages: 299,
    limit_reached: false,
  })
})

test('stores a bulk message as an announcement, even for students without a phone', async () => {
  const sensei = await server.createSensei()
  const studentWithoutPhone = await server.createStudent(sensei, {
    name: 'No Phone',
    phone_number: '123',
  })
  await sensei.post('/sms/send-bulk-message', cancellation)
  expect((await studentWithoutPhone.get('/notifications')).body).toMatchObject([
    {
      title: 'Weather Cancellation',
      message: 'Hi No, no class today.',
      sender_name: 'Aiko Tanaka',
    },
  ])
  expect((await studentWithoutPhone.get('/announcements')).body).toMatchObject([
    { category: 'weather', content: 'Hi No, no class today.' },
  ])
  expect((await sensei.get('/announcements')).body).toMatchObject([
    { title: 'Weather Cancellation', content: cancellation.custom_message },
  ])
})

test('repeats the first response for an Idempotency-Key', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei)
  const send = (payload: object, key = 'one-press') =>
    server.http.inject({
      method: 'POST',
      url: '/api/sms/send-bulk-message',
      headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': key },
      payload,
    })
  const responses = await Promise.all([1, 2, 3, 4].map(() => send(cancellation)))
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
  expect((await send({ ...cancellation, custom_message: 'Other words' })).statusCode).toBe(409)
  expect((await send(cancellation, 'another-press')).statusCode).toBe(200)
  expect((await sensei.get('/sms/batches')).body).toHaveLength(2)
})

test('refuses the whole batch if it exceeds the allowance', async () => {
  const superAdmin = await server.signInSuperAdmin()
  const sensei = await server.createSensei()
  for (const name of ['One', 'Two', 'Three']) await server.createStudent(sensei, { name })
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 5 })
  expect((await sensei.post('/sms/send-bulk-message', cancellation)).status).toBe(200)
  const secondResponse = await sensei.post('/sms/send-bulk-message', cancellation)
  expect([
    secondResponse.status,
    secondResponse.body.detail,
    Number(secondResponse.headers['retry-after']) > 0,
  ]).toEqual([429, 'This message needs 3 texts but only 2 remain today.', true])
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 3 })
  expect((await sensei.post('/sms/send-bulk-message', cancellation)).body.detail).toBe(
    'Daily limit reached. Resets at midnight UTC.',
  )
  expect((await sensei.get('/daily-message-usage')).body).toMatchObject({
    message_count: 3,
    daily_limit: 3,
    remaining_messages: 0,
    limit_reached: true,
  })
  expect([
    (await sensei.get('/sms/batches')).body.length,
    (await sensei.get('/announcements')).body.length,
  ]).toEqual([1, 1])
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
})

test('welcomes a new student by text if enabled, and counts the text', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { name: 'Too Early' })
  expect((await sensei.get('/welcome-message-settings')).body).toEqual({
    welcome_message_enabled: false,
  })
  expect(
    (await sensei.put('/welcome-message-settings', { welcome_message_enabled: true })).body,
  ).toEqual({ success: true, welcome_message_enabled: true })
  await server.createStudent(sensei, { name: 'Mia Chen' })
  await server.createStudent(sensei, { name: 'No Phone', phone_number: '12' })
  const [batch] = (await sensei.get('/sms/batches')).body
  expect(batch).toMatchObject({ message_type: 'welcome', counts: { total: 1 } })
  expect((await readBatch(sensei, batch.id)).texts).toMatchObject([
    { name: 'Mia Chen', text: expect.stringMatching(/^Hi Mia, welcome/) },
  ])
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
})

test('deletes the texts of a deleted student, but keeps the day’s usage', async () => {
  const sensei = await server.createSensei()
  const deletedStudent = await server.createStudent(sensei)
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', cancellation)).body
  await sensei.delete(`/students/${deletedStudent.id}`)
  expect((await sensei.get(`/sms/batches/${batch_id}`)).status).toBe(404)
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
})

test('responds with 404 for reading or resending a batch of another dojo', async () => {
  const sensei = await server.createSensei()
  const otherSensei = await server.createSensei()
  await server.createStudent(otherSensei)
  const { batch_id } = (await otherSensei.post('/sms/send-bulk-message', cancellation)).body
  expect([
    (await sensei.get(`/sms/batches/${batch_id}`)).status,
    (await sensei.post(`/sms/batches/${batch_id}/send-again`)).status,
  ]).toEqual([404, 404])
})

test('reports no errors while sending', () => expect(errors).toEqual([]))
