import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'
import { receiveStatus } from '../delivery/outcomes.ts'
import { messages } from '../tables.ts'
import { receiveText } from '../../messages/incoming.ts'

const server = await startTestServer()
const stopWorker = startTestWorker(server, {
  publicUrl: 'http://localhost',
  smsProvider: 'simulator',
  smsPerSecond: 1000,
})
afterAll(stopWorker)

let phoneCount = 0
const createPhone = () => `+1512555${5000 + (phoneCount += 1)}`
let receivedCount = 0
const receiveFrom = (sender: string, text: string) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(receivedCount += 1)}`, from: sender, text }),
  )
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const listConversations = async (sensei: Sensei, query = '') =>
  (await sensei.get(`/sms/conversations${query}`)).body
const conversationPath = (phone: string) => `/sms/conversations/${encodeURIComponent(phone)}`
const readThread = async (sensei: Sensei, phone: string, query = '') =>
  (await sensei.get(`${conversationPath(phone)}/messages${query}`)).body
const readPhoneInfo = async (sensei: Sensei, phone: string) =>
  (await sensei.get(`/sms/phones/${encodeURIComponent(phone)}`)).body
const countUnread = async (sensei: Sensei) =>
  (await sensei.get('/sms/inbox/unread-count')).body.unread_count

/** Reports that the newest text to a phone was delivered, before a worker asks for its status. */
async function reportDelivered(sensei: Sensei, phone: string) {
  const readNewestText = async () => (await readThread(sensei, phone))[0]
  await expect.poll(async () => (await readNewestText()).state).toBe('accepted')
  const { id } = await readNewestText()
  const [sentText] = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.select().from(messages).where(eq(messages.id, id)),
  )
  await server.db.withoutDojo((tx) =>
    receiveStatus(tx, { id: sentText!.provider_id!, status: 'delivered', errorCode: null }),
  )
  expect((await readNewestText()).state).toBe('delivered')
}

async function createFamily() {
  const sensei = await server.createSensei()
  const phone = createPhone()
  const leo = await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: phone })
  return { sensei, phone, leo, mia }
}

test('shows the texts to and from a phone in order, under its students’ names', async () => {
  const { sensei, phone, leo, mia } = await createFamily()
  await sensei.post('/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'Hi {name}, no class today.',
  })
  await receiveFrom(phone, 'Is there class on Monday?')
  const response = await sensei.post(`${conversationPath(phone)}/messages`, {
    text: 'Yes, {name}, as usual.',
  })
  expect([response.status, response.body]).toEqual([
    200,
    {
      success: true,
      batch_id: expect.any(String),
      total_recipients: 2,
      total_texts: 1,
      skipped: [],
    },
  ])
  await reportDelivered(sensei, phone)
  expect((await readThread(sensei, phone)).toReversed()).toMatchObject([
    {
      direction: 'out',
      kind: 'weather_cancel',
      text: 'Hi Leo and Mia, no class today.',
      sender_name: 'Aiko Tanaka',
    },
    { direction: 'in', kind: null, text: 'Is there class on Monday?', state: null },
    {
      direction: 'out',
      kind: 'reply',
      text: 'Yes, Leo and Mia, as usual.',
      sender_name: 'Aiko Tanaka',
      state: 'delivered',
    },
  ])
  expect(await listConversations(sensei)).toEqual([
    {
      id: expect.any(String),
      phone_number: phone,
      people: [leo, mia].map(({ id, name }) => ({
        student_id: id,
        name,
        holder: 'student',
        holder_name: null,
      })),
      unread_count: 0,
      stop_asked_at: null,
      last: { direction: 'out', text: 'Yes, Leo and Mia, as usual.', at: expect.any(String) },
    },
  ])
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(2)
  expect((await sensei.get('/sms/batches')).body).toHaveLength(1)
})

test('lists conversations with unread texts first, then the newest, on every page', async () => {
  const sensei = await server.createSensei()
  const numbers = Array.from({ length: 7 }, createPhone)
  for (const phone_number of numbers) await server.createStudent(sensei, { phone_number })
  for (const phone of numbers) await receiveFrom(phone, 'Hello')
  for (const phone of [numbers[6]!, numbers[5]!, numbers[2]!])
    await sensei.put(`${conversationPath(phone)}/read`, { is_read: true })
  const expectedNumbers = [4, 3, 1, 0, 6, 5, 2].map((index) => numbers[index])
  expect(
    (await listConversations(sensei)).map(
      ({ phone_number }: { phone_number: string }) => phone_number,
    ),
  ).toEqual(expectedNumbers)
  const pagedNumbers: string[] = []
  for (
    let page = await listConversations(sensei, '?limit=2');
    page.length > 0;
    page = await listConversations(sensei, `?limit=2&before=${page.at(-1).id}`)
  )
    pagedNumbers.push(...page.map(({ phone_number }: { phone_number: string }) => phone_number))
  expect(pagedNumbers).toEqual(expectedNumbers)
})

test('pages through the sent and received texts of a conversation', async () => {
  const { sensei, phone } = await createFamily()
  for (const text of ['One', 'Two', 'Three']) {
    await receiveFrom(phone, text)
    await sensei.post(`${conversationPath(phone)}/messages`, { text: `${text} answered` })
  }
  const allTexts = (await readThread(sensei, phone)).map(({ text }: { text: string }) => text)
  expect(allTexts).toEqual([
    'Three answered',
    'Three',
    'Two answered',
    'Two',
    'One answered',
    'One',
  ])
  const pagedTexts: string[] = []
  for (
    let page = await readThread(sensei, phone, '?limit=4');
    page.length > 0;
    page = await readThread(sensei, phone, `?limit=4&before=${page.at(-1).id}`)
  )
    pagedTexts.push(...page.map(({ text }: { text: string }) => text))
  expect(pagedTexts).toEqual(allTexts)
})

test('marks texts on the screen as read, and the newest text as unread again', async () => {
  const { sensei, phone } = await createFamily()
  await receiveFrom(phone, 'One')
  const [{ id: up_to }] = await readThread(sensei, phone)
  await receiveFrom(phone, 'Two')
  expect([await countUnread(sensei), (await listConversations(sensei))[0].unread_count]).toEqual([
    2, 2,
  ])
  await sensei.put(`${conversationPath(phone)}/read`, { is_read: true, up_to })
  expect([await countUnread(sensei), (await listConversations(sensei))[0].unread_count]).toEqual([
    1, 1,
  ])
  await sensei.put(`${conversationPath(phone)}/read`, { is_read: true })
  await sensei.put(`${conversationPath(phone)}/read`, { is_read: false })
  expect(
    (await readThread(sensei, phone)).map(
      ({ text, is_read }: { text: string; is_read: boolean }) => [text, is_read],
    ),
  ).toEqual([
    ['Two', false],
    ['One', true],
  ])
  const silentPhone = createPhone()
  await server.createStudent(sensei, { phone_number: silentPhone })
  const refusal = await sensei.put(`${conversationPath(silentPhone)}/read`, { is_read: false })
  expect([refusal.status, refusal.body.detail]).toEqual([
    409,
    'This phone hasn’t sent any messages yet.',
  ])
})

test('sends one reply per Idempotency-Key, and no reply beyond the allowance', async () => {
  const { sensei, phone } = await createFamily()
  const send = () =>
    server.http.inject({
      method: 'POST',
      url: `/api${conversationPath(phone)}/messages`,
      headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'one-press' },
      payload: { text: 'See you on Monday' },
    })
  const responses = await Promise.all([1, 2, 3, 4].map(send))
  expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
  expect(await readThread(sensei, phone)).toHaveLength(1)
  const superAdmin = await server.signInSuperAdmin()
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
  expect(
    (await sensei.post(`${conversationPath(phone)}/messages`, { text: 'One more' })).body.detail,
  ).toBe('Daily limit reached. Resets at midnight UTC.')
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
})

test('refuses a reply to a phone that replied STOP, and shows the opt-out', async () => {
  const { sensei, phone, leo } = await createFamily()
  await receiveFrom(phone, 'STOP')
  const refusal = await sensei.post(`${conversationPath(phone)}/messages`, { text: 'Hello' })
  expect([refusal.status, refusal.body.detail]).toEqual([
    409,
    'This phone has replied STOP, so it gets no texts.',
  ])
  expect(await readPhoneInfo(sensei, phone)).toMatchObject({
    opted_out_at: expect.any(String),
    consents: [{ event: 'revoked', source: 'STOP' }],
  })
  expect((await sensei.get(`/students/${leo.id}/phones`)).body).toEqual([
    { phone_number: phone, holder: 'student', holder_name: null, obstacle: 'replied_stop' },
  ])
  const response = await sensei.post('/sms/messages', { student_ids: [leo.id], text: 'Hello' })
  expect([response.status, response.body.detail]).toEqual([
    409,
    'Leo Chen has replied STOP and gets no texts.',
  ])
  await receiveFrom(phone, 'START')
  expect(await readPhoneInfo(sensei, phone)).toMatchObject({
    opted_out_at: null,
    consents: [
      { event: 'given', source: 'START' },
      { event: 'revoked', source: 'STOP' },
    ],
  })
})

test('texts selected students, one text per phone, on vacation only if confirmed', async () => {
  const { sensei, leo, mia } = await createFamily()
  const ken = await server.createStudent(sensei, { name: 'Ken Adams', phone_number: createPhone() })
  const studentWithoutPhone = await server.createStudent(sensei, {
    name: 'No Phone',
    phone_number: '12',
  })
  await sensei.put(`/students/${ken.id}`, {
    ...(await sensei.get('/students')).body.find(({ id }: { id: string }) => id === ken.id),
    on_vacation: true,
  })
  const student_ids = [leo, mia, ken, studentWithoutPhone].map(({ id }) => id)
  const message = { student_ids, text: 'Hi {name}', even_on_vacation: true }
  expect((await sensei.post('/sms/messages', message)).body).toEqual({
    success: true,
    batch_id: expect.any(String),
    total_recipients: 3,
    total_texts: 2,
    skipped: [{ student_id: studentWithoutPhone.id, name: 'No Phone', reason: 'no_valid_phone' }],
  })
  const lastTexts = (await listConversations(sensei)).map(
    (conversation: { last: { text: string } }) => conversation.last.text,
  )
  expect(lastTexts.toSorted()).toEqual(['Hi Ken', 'Hi Leo and Mia'])
})

test('shows an unknown number, answers it, and links it to a student', async () => {
  const { sensei, phone, leo } = await createFamily()
  const grandmasPhone = createPhone()
  await sensei.post('/sms/simulated/incoming', {
    phone_number: grandmasPhone,
    text: 'Who is this?',
  })
  expect((await listConversations(sensei))[0]).toMatchObject({
    phone_number: grandmasPhone,
    people: [],
    unread_count: 1,
  })
  const message = 'Link the number to a student first, or leave out {name}'
  const namedReply = await sensei.post(`${conversationPath(grandmasPhone)}/messages`, {
    text: 'Hi {name}',
  })
  expect([namedReply.status, namedReply.body]).toEqual([
    422,
    { detail: message, errors: [{ field: 'text', message }] },
  ])
  expect(
    (await sensei.post(`${conversationPath(grandmasPhone)}/messages`, { text: 'Leo’s dojo' })).body,
  ).toMatchObject({ total_recipients: 0, total_texts: 1 })
  await reportDelivered(sensei, grandmasPhone)
  const linkResponse = await sensei.put(`${conversationPath(grandmasPhone)}/student`, {
    student_id: leo.id,
    holder_name: 'Grandma Chen',
  })
  expect(linkResponse.body.people).toEqual([
    { student_id: leo.id, name: 'Leo Chen', holder: 'linked', holder_name: 'Grandma Chen' },
  ])
  expect(
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body,
  ).toMatchObject({ total_texts: 1 })
  expect(
    (await sensei.delete(`${conversationPath(grandmasPhone)}/student?student_id=${leo.id}`)).body
      .people,
  ).toEqual([])
  expect((await sensei.get('/sms/inbox')).body).toMatchObject([
    { phone_number: grandmasPhone, name: null },
  ])
  expect((await readPhoneInfo(sensei, phone)).people).toHaveLength(2)
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute(
      sql`select actor_id, dojo_id, action from audit_log where subject_id = ${leo.id} order by id`,
    ),
  )
  const actor = { actor_id: sensei.id, dojo_id: sensei.dojoId }
  expect(rows).toEqual([
    { ...actor, action: 'student added' },
    { ...actor, action: 'phone linked' },
    { ...actor, action: 'phone unlinked' },
  ])
})

test('returns an error for the text field if names make a reply too long', async () => {
  const { sensei, phone, leo } = await createFamily()
  // With "Leo and Mia " the text has two characters more than TEXT_MAX.
  const text = `{name} ${'x'.repeat(TEXT_MAX - 10)}`
  const message = 'With the names in it, the message is up to 2 characters too long'
  const tooLongReply = { detail: message, errors: [{ field: 'text', message }] }
  expect((await sensei.post(`${conversationPath(phone)}/messages`, { text })).body).toEqual(
    tooLongReply,
  )
  const mia = (await sensei.get('/students')).body.find(
    ({ name }: { name: string }) => name === 'Mia Chen',
  )
  expect(
    (await sensei.post('/sms/messages', { student_ids: [leo.id, mia.id], text })).body,
  ).toEqual(tooLongReply)
})

test('responds with 404 for a phone of another dojo', async () => {
  const { phone } = await createFamily()
  const otherSensei = await server.createSensei()
  await receiveFrom(phone, 'STOP')
  const responses = await Promise.all([
    otherSensei.get(`/sms/phones/${encodeURIComponent(phone)}`),
    otherSensei.get(`${conversationPath(phone)}/messages`),
    otherSensei.post(`${conversationPath(phone)}/messages`, { text: 'Hello' }),
    otherSensei.put(`${conversationPath(phone)}/read`, { is_read: true }),
    otherSensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, {
      event: 'given',
      given_by: 'Ann',
    }),
    otherSensei.get('/sms/phones/nonsense'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
})

test('records who agreed to texts, and deletes the name with the last student', async () => {
  const { sensei, phone, leo, mia } = await createFamily()
  const form = {
    sensei_name: 'Aiko Tanaka',
    phone_number: phone,
    signature: 'Ann Chen',
    date: '2026-11-22',
  }
  expect((await server.anonymous.post('/consent-form', form)).status).toBe(200)
  const consentResponse = await sensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, {
    event: 'given',
    given_by: 'Ben Chen',
  })
  expect(consentResponse.body.consents).toMatchObject([
    { event: 'given', source: 'paper', given_by: 'Ben Chen' },
    {
      event: 'given',
      source: 'form',
      given_by: 'Ann Chen',
      topics: ['dues', 'classes', 'promotions'],
      wording_version: expect.any(String),
    },
  ])
  await receiveFrom(phone, 'Thank you')
  await sensei.delete(`/students/${leo.id}`)
  expect([
    (await readPhoneInfo(sensei, phone)).consents.length,
    (await listConversations(sensei)).length,
  ]).toEqual([2, 1])
  expect((await sensei.get('/sms/inbox')).body).toMatchObject([
    { name: 'Mia Chen', text: 'Thank you' },
  ])
  await sensei.delete(`/students/${mia.id}`)
  expect([
    await listConversations(sensei),
    (await sensei.get(`/sms/phones/${encodeURIComponent(phone)}`)).status,
  ]).toEqual([[], 404])
})

test('lists a dojo’s templates by name, and stores up to fifty', async () => {
  const sensei = await server.createSensei()
  const add = (name: string) =>
    sensei.post('/sms/templates', { name, text: 'Hi {name}, bring water.' })
  const water = (await add('Water')).body
  const bow = (await add('Bow')).body
  await sensei.put(`/sms/templates/${water.id}`, { name: 'A water', text: 'Bring two bottles.' })
  expect((await sensei.get('/sms/templates')).body).toEqual([
    { id: water.id, name: 'A water', text: 'Bring two bottles.' },
    { id: bow.id, name: 'Bow', text: 'Hi {name}, bring water.' },
  ])
  expect((await sensei.delete(`/sms/templates/${water.id}`)).body).toEqual({ success: true })
  const otherSensei = await server.createSensei()
  expect([
    (await otherSensei.delete(`/sms/templates/${bow.id}`)).status,
    (await otherSensei.put(`/sms/templates/${bow.id}`, { name: 'x', text: 'x' })).status,
  ]).toEqual([404, 404])
  for (let number = 1; number < 50; number += 1) await add(`T${number}`)
  expect((await add('One more')).status).toBe(409)
})
