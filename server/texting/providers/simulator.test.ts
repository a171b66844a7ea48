import { afterAll, expect, test } from 'vitest'
import { type ApiResponse, startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'
import { receiveText } from '../../messages/incoming.ts'
import { deleteSimulatedOptOuts } from '../opt-outs.ts'

const server = await startTestServer()
const settings = {
  publicUrl: 'http://localhost',
  smsProvider: 'simulator',
  smsPerSecond: 1000,
} as const
const stopWorker = startTestWorker(server, settings)
afterAll(stopWorker)

const cancellation = { message_type: 'weather_cancel', custom_message: 'No class today.' }
let phoneCount = 0
async function createSimulatedText(phone = `+1512555${String(3000 + (phoneCount += 1))}`) {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: phone })
  await sensei.post('/sms/send-bulk-message', cancellation)
  await expect.poll(async () => (await sensei.get('/sms/simulated')).body.length).toBe(1)
  const [{ id }] = (await sensei.get('/sms/simulated')).body
  const answer = (text: string) => sensei.post(`/sms/simulated/${id}/answer`, { text })
  const readSkipReason = async () =>
    (await sensei.post('/sms/preview', cancellation)).body.students[0].reason
  return { sensei, student, phone, id, answer, readSkipReason }
}
const readInbox = async (sensei: { get: (path: string) => Promise<ApiResponse> }) =>
  (await sensei.get('/sms/inbox')).body
const countUnread = async (sensei: { get: (path: string) => Promise<ApiResponse> }) =>
  (await sensei.get('/sms/inbox/unread-count')).body.unread_count

test('shows an answer from a simulated phone in the inbox, unread until it is read', async () => {
  const { sensei, phone, answer } = await createSimulatedText()
  expect([await readInbox(sensei), await countUnread(sensei)]).toEqual([[], 0])
  expect((await answer('Is there class on Monday?')).body).toEqual({ success: true, answer: null })
  expect((await answer('HELP')).body.answer).toMatch(/^Texts from your dojo/)
  expect(await readInbox(sensei)).toMatchObject([
    { name: 'Mia Chen', text: 'HELP', wish: 'help', read_at: null },
    {
      name: 'Mia Chen',
      phone_number: phone,
      text: 'Is there class on Monday?',
      wish: null,
      read_at: null,
    },
  ])
  expect(await countUnread(sensei)).toBe(2)
  const [newestText, firstText] = await readInbox(sensei)
  expect((await sensei.put('/sms/inbox/read', { message_ids: [firstText.id] })).body).toEqual({
    success: true,
  })
  expect([await countUnread(sensei), (await readInbox(sensei))[0].read_at]).toEqual([1, null])
  const { read_at } = (await readInbox(sensei))[1]
  await sensei.put('/sms/inbox/read', {
    message_ids: [newestText.id, firstText.id, '01980000-0000-7000-8000-000000000000'],
  })
  expect([await countUnread(sensei), (await readInbox(sensei))[1].read_at]).toEqual([0, read_at])
  expect((await sensei.put('/sms/inbox/read', { message_ids: [] })).status).toBe(422)
})

test('updates the unread count immediately, and returns 304 while nothing changes', async () => {
  const { sensei, student, phone } = await createSimulatedText()
  const pollUnreadCount = async (tag = '') => {
    const { statusCode, headers } = await server.http.inject({
      url: '/api/sms/inbox/unread-count',
      headers: { authorization: `Bearer ${sensei.token}`, 'if-none-match': tag },
    })
    return { statusCode, tag: headers.etag }
  }
  const { tag } = await pollUnreadCount()
  expect((await pollUnreadCount(tag)).statusCode).toBe(304)
  await server.db.withoutDojo((tx) => receiveText(tx, { id: 'SM1', from: phone, text: 'Thanks' }))
  expect([(await pollUnreadCount(tag)).statusCode, await countUnread(sensei)]).toEqual([200, 1])
  await sensei.delete(`/students/${student.id}`)
  expect([await countUnread(sensei), await readInbox(sensei)]).toEqual([0, []])
})

test('opts a simulated phone out on STOP and in on START, like a real one', async () => {
  const { answer, readSkipReason } = await createSimulatedText()
  expect((await answer(' stop ')).body.answer).toMatch(/^You will get no more texts/)
  expect((await answer('STOP')).body.answer).toBe(null)
  expect(await readSkipReason()).toBe('opted_out')
  expect((await answer('START')).body.answer).toMatch(/^You will get our texts again/)
  expect(await readSkipReason()).toBe(null)
})

test('keeps a real STOP despite a simulated START, and deletes simulated STOPs', async () => {
  const realText = await createSimulatedText()
  const simulatedText = await createSimulatedText()
  await server.db.withoutDojo((tx) =>
    receiveText(tx, { id: 'SM2', from: realText.phone, text: 'STOP' }),
  )
  expect((await realText.answer('START')).body.answer).toBe(null)
  await simulatedText.answer('STOP')
  expect([await realText.readSkipReason(), await simulatedText.readSkipReason()]).toEqual([
    'opted_out',
    'opted_out',
  ])
  await server.db.withoutDojo(deleteSimulatedOptOuts)
  expect([await realText.readSkipReason(), await simulatedText.readSkipReason()]).toEqual([
    'opted_out',
    null,
  ])
})

test('replaces a simulated STOP with a real one', async () => {
  const { answer, phone, readSkipReason } = await createSimulatedText()
  await answer('STOP')
  expect(
    await server.db.withoutDojo((tx) => receiveText(tx, { id: 'SM3', from: phone, text: 'STOP' })),
  ).toMatch(/^You will get no more texts/)
  await server.db.withoutDojo(deleteSimulatedOptOuts)
  expect(await readSkipReason()).toBe('opted_out')
})

test('delivers a simulated reply only to its own dojo', async () => {
  const ownText = await createSimulatedText()
  const otherText = await createSimulatedText(ownText.phone)
  await ownText.answer('Thanks')
  expect([(await readInbox(ownText.sensei)).length, await readInbox(otherText.sensei)]).toEqual([
    1,
    [],
  ])
  expect(
    (await otherText.sensei.post(`/sms/simulated/${ownText.id}/answer`, { text: 'x' })).status,
  ).toBe(404)
  await otherText.sensei.put('/sms/inbox/read', {
    message_ids: [(await readInbox(ownText.sensei))[0].id],
  })
  expect(await countUnread(ownText.sensei)).toBe(1)
})

test('refuses a simulated answer when the service is real', async () => {
  const { sensei, id } = await createSimulatedText()
  const { http } = await server.openServer({ smsProvider: 'none' })
  const response = await http.inject({
    method: 'POST',
    url: `/api/sms/simulated/${id}/answer`,
    headers: { authorization: `Bearer ${sensei.token}` },
    payload: { text: 'Hello' },
  })
  expect([response.statusCode, response.json().detail]).toEqual([
    409,
    'Texts are not simulated here, so replies come from real phones.',
  ])
})
