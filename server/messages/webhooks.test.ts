import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { SENDER_NUMBER, TOKEN, startFakeTwilio } from '../test/fake-twilio.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'

const twilio = await startFakeTwilio()
const PUBLIC_URL = 'https://tatami.example.org'
const settings = { publicUrl: PUBLIC_URL, smsPerSecond: 1000, ...twilio.settings(twilio.url) }
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings)
afterAll(async () => {
  await stopWorker()
  await twilio.close()
})

type Form = Record<string, string>
/** Signs the URL and the sorted names and values, as Twilio documents it. */
const sign = (url: string, form: Form, token = TOKEN) =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(form)
          .toSorted()
          .map((name) => `${name}${form[name]}`)
          .join(''),
    )
    .digest('base64')

async function callWebhook(
  webhook: 'status' | 'incoming',
  form: Form,
  { signature, host = 'localhost' }: { signature?: string; host?: string } = {},
) {
  const path = `/api/sms/webhooks/${webhook}`
  const response = await server.http.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      host,
      'x-twilio-signature': signature ?? sign(`${PUBLIC_URL}${path}`, form),
    },
    payload: new URLSearchParams(form).toString(),
  })
  return { status: response.statusCode, text: response.payload }
}
let receivedCount = 0
const createIncomingForm = (sender: string, Body: string, fields: Form = {}) => ({
  MessageSid: `SM${String((receivedCount += 1)).padStart(32, '0')}`,
  From: sender,
  To: SENDER_NUMBER,
  Body,
  ...fields,
})

let phoneCount = 0
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

async function readInbox(sensei: Sensei): Promise<string[]> {
  const { body } = await sensei.get('/sms/inbox')
  return body.map(({ text }: { text: string }) => text)
}

/** Texts all students of the dojo, and waits until the text to the phone is sent. */
async function sendGroupText(sensei: Sensei, phone: string) {
  const { batch_id } = (
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  ).body
  await expect.poll(() => twilio.messages.filter(({ to }) => to === phone)).toHaveLength(1)
  const readText = async () => (await sensei.get(`/sms/batches/${batch_id}`)).body.texts[0]
  await expect.poll(async () => (await readText()).state).toBe('accepted')
  return readText
}

async function createTextedStudent(phone = `+1512555${String(1000 + (phoneCount += 1))}`) {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: phone })
  const readText = await sendGroupText(sensei, phone)
  const { sid } = twilio.messages.find(({ to }) => to === phone)!
  return { sensei, student, phone, sid, readText }
}
const reportStatus = (MessageSid: string, MessageStatus: string, fields: Form = {}) =>
  callWebhook('status', { MessageSid, MessageStatus, AccountSid: 'AC', ...fields })

test('applies statuses in any order, even if they are repeated', async () => {
  const { sid, readText } = await createTextedStudent()
  for (const [reportedStatus, state] of [
    ['sent', 'sent'],
    ['queued', 'sent'],
    ['delivered', 'delivered'],
    ['sent', 'delivered'],
    ['delivered', 'delivered'],
    ['undelivered', 'delivered'],
    ['nonsense', 'delivered'],
  ]) {
    expect([(await reportStatus(sid, reportedStatus!)).status, (await readText()).state]).toEqual([
      200,
      state,
    ])
  }
})

test('shows a failure with its reason, and lets the instructor send again', async () => {
  const { sensei, sid, readText } = await createTextedStudent()
  await reportStatus(sid, 'undelivered', { ErrorCode: '30003' })
  expect(await readText()).toMatchObject({
    state: 'undelivered',
    reason: 'The phone was off or could not be reached',
    may_send_again: true,
  })
  const [{ id }] = (await sensei.get('/sms/batches')).body
  expect((await sensei.post(`/sms/batches/${id}/send-again`)).body).toEqual({
    success: true,
    total_recipients: 1,
    total_texts: 1,
  })
  await expect.poll(async () => (await readText()).state).toBe('accepted')
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(2)
  await reportStatus(sid, 'sent') // The first attempt's status is ignored.
  expect((await readText()).state).toBe('accepted')
})

test('refuses forged, changed and unsigned requests, with any Host header', async () => {
  const { sid, readText } = await createTextedStudent()
  const form = { MessageSid: sid, MessageStatus: 'delivered' }
  const path = '/api/sms/webhooks/status'
  const forgedRequests = [
    sign(`${PUBLIC_URL}${path}`, form, 'another token'),
    sign(`${PUBLIC_URL}${path}`, { ...form, MessageStatus: 'sent' }),
    sign(`https://evil.example${path}`, form),
    '',
    'x'.repeat(5000),
  ]
  for (const signature of forgedRequests)
    expect((await callWebhook('status', form, { signature, host: 'evil.example' })).status).toBe(
      403,
    )
  expect((await server.http.inject({ method: 'POST', url: path, payload: form })).statusCode).toBe(
    415,
  )
  expect((await readText()).state).toBe('accepted')
})

test('applies a status that arrives before the text has its provider id', async () => {
  const earlySid = `SM${'e'.repeat(32)}`
  expect((await reportStatus(earlySid, 'delivered')).status).toBe(200)
  const { phone, sensei, readText } = await createTextedStudent()
  const message = twilio.messages.find(({ to }) => to === phone)!
  // The text has no provider id, as if the server had died before recording it.
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`delete from provider_messages where id = ${message.sid}`),
  )
  const dojoId = (
    await server.db.withoutDojo((tx) =>
      tx.execute<{ dojo_id: string }>(sql`select dojo_id from accounts where id = ${sensei.id}`),
    )
  ).rows[0]!.dojo_id
  message.sid = earlySid
  await server.db.inDojo(dojoId, (tx) =>
    tx.execute(
      sql`update messages set state = 'in_doubt', provider_id = null, due_at = clock_timestamp()`,
    ),
  )
  await expect.poll(async () => (await readText()).state, { timeout: 5000 }).toBe('delivered')
})

test('ignores invalid error codes and null characters', async () => {
  const { sid, phone, readText } = await createTextedStudent()
  for (const ErrorCode of ['1.5', '99999999999', 'x'])
    expect((await reportStatus(sid, 'sent', { ErrorCode })).status).toBe(200)
  expect(
    (await callWebhook('incoming', createIncomingForm(`${phone}\0`, 'Thank\0 you'))).status,
  ).toBe(200)
  expect((await readText()).state).toBe('sent')
})

test('opts a phone out in every dojo on STOP, confirms once, and opts it in on START', async () => {
  const { sensei, phone } = await createTextedStudent()
  const otherSensei = await server.createSensei()
  await server.createStudent(otherSensei, { phone_number: phone })
  const readSkipReason = async () =>
    (
      await otherSensei.post('/sms/preview', {
        message_type: 'weather_cancel',
        custom_message: 'x',
      })
    ).body.students[0].reason
  expect((await callWebhook('incoming', createIncomingForm(phone, ' stop. '))).text).toContain(
    '<Message>You will get no more texts',
  )
  expect((await callWebhook('incoming', createIncomingForm(phone, 'STOP'))).text).not.toContain(
    '<Message>',
  )
  expect(await readSkipReason()).toBe('opted_out')
  const replayedRequest = createIncomingForm(phone, 'START')
  expect((await callWebhook('incoming', replayedRequest)).text).toContain('<Message>')
  expect(await readSkipReason()).toBe(null)
  await callWebhook('incoming', createIncomingForm(phone, 'Unsubscribe'))
  await callWebhook('incoming', replayedRequest)
  expect(await readSkipReason()).toBe('opted_out')
  expect(
    (await sensei.get('/sms/inbox')).body.map(
      ({ name, text }: { name: string; text: string }) => `${name}: ${text}`,
    ),
  ).toEqual(['Mia Chen: Unsubscribe', 'Mia Chen: START', 'Mia Chen: STOP', 'Mia Chen:  stop. '])
})

test('replies to HELP unless Twilio did, and stores a repeated text once', async () => {
  const { sensei, phone } = await createTextedStudent()
  expect((await callWebhook('incoming', createIncomingForm(phone, 'Help'))).text).toContain(
    '<Message>Texts from your dojo',
  )
  expect(
    (await callWebhook('incoming', createIncomingForm(phone, 'HELP', { OptOutType: 'HELP' }))).text,
  ).not.toContain('<Message>')
  const ordinaryText = createIncomingForm(phone, 'Please stop by, we found your belt')
  for (let times = 0; times < 3; times += 1)
    expect((await callWebhook('incoming', ordinaryText)).text).not.toContain('<Message>')
  const [newestText, ...otherTexts] = (await sensei.get('/sms/inbox')).body
  expect([newestText, otherTexts.length]).toMatchObject([
    { name: 'Mia Chen', phone_number: phone, text: ordinaryText.Body },
    2,
  ])
})

test('delivers a text to the last sender, or else to every dojo that has the phone', async () => {
  const { sensei: sender, phone } = await createTextedStudent()
  const silentSensei = await server.createSensei()
  await server.createStudent(silentSensei, { phone_number: phone })
  await callWebhook('incoming', createIncomingForm(phone, 'Thanks'))
  expect(await Promise.all([sender, silentSensei].map(readInbox))).toEqual([['Thanks'], []])
  const senseis = [await server.createSensei(), await server.createSensei()]
  for (const sensei of senseis)
    await server.createStudent(sensei, { phone_number: '(737) 555-0199' })
  await callWebhook('incoming', createIncomingForm('+17375550199', 'Who is this?'))
  expect(await Promise.all([...senseis, silentSensei].map(readInbox))).toEqual([
    ['Who is this?'],
    ['Who is this?'],
    [],
  ])
})

test('shows replies to a dojo that had the phone before the sender added it', async () => {
  const earlySensei = await server.createSensei()
  const silentSensei = await server.createSensei()
  const phone = '+15125551900'
  await server.createStudent(earlySensei, { phone_number: '(512) 555-1900' })
  const { sensei: lateSensei } = await createTextedStudent(phone)
  await callWebhook('incoming', createIncomingForm(phone, 'Which school is this?'))
  expect(await Promise.all([earlySensei, lateSensei, silentSensei].map(readInbox))).toEqual([
    ['Which school is this?'],
    ['Which school is this?'],
    [],
  ])
  const message = { message_type: 'weather_cancel', custom_message: 'No class here.' }
  const { batch_id } = (await earlySensei.post('/sms/send-bulk-message', message)).body
  await expect.poll(() => twilio.messages.filter(({ to }) => to === phone)).toHaveLength(2)
  const readState = async () =>
    (await earlySensei.get(`/sms/batches/${batch_id}`)).body.texts[0].state
  await expect.poll(readState).toBe('accepted')
  await callWebhook('incoming', createIncomingForm(phone, 'Thank you'))
  expect(
    [(await readInbox(earlySensei))[0], (await readInbox(lateSensei))[0]],
    'both have texted the phone',
  ).toEqual(['Thank you', 'Thank you'])
  await callWebhook('incoming', createIncomingForm(phone, 'Opt out'))
  const reasons = [earlySensei, lateSensei].map(
    async (sensei) =>
      (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
        .body.students[0].reason,
  )
  expect(await Promise.all(reasons)).toEqual(['opted_out', 'opted_out'])
})

const studentForm = (overrides: object = {}) =>
  exampleStudent({ class_preferences: ['saturday'], ...overrides })

async function changePhone(
  sensei: Sensei,
  student: { id: string; email: string },
  phone_number: string,
) {
  const form = studentForm({ email: student.email, phone_number })
  const { status, body } = await sensei.put(`/students/${student.id}`, form)
  expect([status, body.detail]).toEqual([200, undefined])
}

test('does not take over or open a conversation when a number is edited', async () => {
  const phone = '+15125551950'
  const createDojoWithStudent = async () => {
    const sensei = await server.createSensei()
    const student = (await sensei.post('/students', studentForm())).body.student
    return { sensei, student }
  }
  const beta = await createDojoWithStudent()
  const gamma = await createDojoWithStudent()
  const { sensei: alpha } = await createTextedStudent(phone)
  for (const { sensei, student } of [beta, gamma]) await changePhone(sensei, student, phone)
  await callWebhook('incoming', createIncomingForm(phone, 'Leo is ill'))
  expect([
    await readInbox(alpha),
    await readInbox(beta.sensei),
    await readInbox(gamma.sensei),
  ]).toEqual([['Leo is ill'], [], []])
  await beta.sensei.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'Hello from Beta.',
  })
  await expect.poll(() => twilio.messages.filter(({ to }) => to === phone)).toHaveLength(2)
  await callWebhook('incoming', createIncomingForm(phone, 'Who are you?'))
  expect([
    await readInbox(alpha),
    await readInbox(beta.sensei),
    await readInbox(gamma.sensei),
  ]).toEqual([['Who are you?', 'Leo is ill'], ['Who are you?'], []])
})

test('shows replies to a dojo that had the number before the sender’s student', async () => {
  const phone = '+15125551960'
  const beta = await server.createSensei()
  const student = (await beta.post('/students', studentForm())).body.student
  const alpha = await server.createSensei()
  await server.createStudent(alpha, { phone_number: '(512) 555-1960' })
  await changePhone(beta, student, phone)
  await beta.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'Hello from Beta.',
  })
  await expect.poll(() => twilio.messages.filter(({ to }) => to === phone)).toHaveLength(1)
  await callWebhook('incoming', createIncomingForm(phone, 'Which school?'))
  const inboxes = await Promise.all([alpha.get('/sms/inbox'), beta.get('/sms/inbox')])
  expect(inboxes.map(({ body }) => body.map(({ text }: { text: string }) => text))).toEqual([
    ['Which school?'],
    ['Which school?'],
  ])
})

test('hides replies from a dojo that added the number after another dojo texted it', async () => {
  const phone = '+15125551970'
  const sender = await server.createSensei()
  const { student } = (await sender.post('/students', studentForm({ phone_number: phone }))).body
  const lateSensei = await server.createSensei()
  const existingStudent = (await lateSensei.post('/students', studentForm())).body.student
  await sendGroupText(sender, phone)
  await changePhone(sender, student, '(512) 555-1971')
  const newSensei = await server.createSensei()
  await server.createStudent(newSensei, { phone_number: phone })
  await callWebhook('incoming', createIncomingForm(phone, 'Leo is ill'))
  expect(await Promise.all([sender, newSensei].map(readInbox))).toEqual([['Leo is ill'], []])
  await changePhone(lateSensei, existingStudent, phone)
  await callWebhook('incoming', createIncomingForm(phone, 'He is better'))
  expect(await Promise.all([newSensei, lateSensei].map(readInbox))).toEqual([[], []])
  expect(await readInbox(sender)).toEqual(['He is better', 'Leo is ill'])
})

test('hides replies to the sender from a dojo that changed a student’s number later', async () => {
  const phone = '+15125551980'
  const lateSensei = await server.createSensei()
  const existingStudent = (await lateSensei.post('/students', studentForm())).body.student
  const { sensei: sender, student } = await createTextedStudent(phone)
  await changePhone(sender, student, '(512) 555-1981')
  await changePhone(lateSensei, existingStudent, phone)
  await callWebhook('incoming', createIncomingForm(phone, 'Leo is ill'))
  expect(await Promise.all([sender, lateSensei].map(readInbox))).toEqual([['Leo is ill'], []])
})

test('does not open a conversation to another dojo when a guardian is edited', async () => {
  const phone = '+15125551990'
  const sender = await server.createSensei()
  const child = await server.createStudent(sender, { phone_number: '(512) 555-1991' })
  const guardian = { name: 'Ann Lee', phone, students: [{ student_id: child.id }] }
  const { id } = (await sender.post('/guardians', guardian)).body.guardian
  await sendGroupText(sender, phone)
  const newSensei = await server.createSensei()
  await server.createStudent(newSensei, { phone_number: phone })
  await sender.put(`/guardians/${id}`, { name: 'Ann Leeds' })
  await callWebhook('incoming', createIncomingForm(phone, 'Leo is ill'))
  expect(await Promise.all([sender, newSensei].map(readInbox))).toEqual([['Leo is ill'], []])
})

test('follows Twilio’s API in every call', () => {
  expect(twilio.violations).toEqual([])
  expect(twilio.messages.length).toBeGreaterThan(5)
})
