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
const stop = startTestWorker(server, settings)
afterAll(stop)

const weather = { message_type: 'weather_cancel', custom_message: 'No class today.' }
let phones = 0
async function createSimulatedText(phone = `+1512555${String(3000 + (phones += 1))}`) {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: phone })
  await sensei.post('/sms/send-bulk-message', weather)
  await expect.poll(async () => (await sensei.get('/sms/simulated')).body.length).toBe(1)
  const [{ id }] = (await sensei.get('/sms/simulated')).body
  const answer = (text: string) => sensei.post(`/sms/simulated/${id}/answer`, { text })
  const skipReason = async () =>
    (await sensei.post('/sms/preview', weather)).body.students[0].reason
  return { sensei, student, phone, id, answer, skipped: skipReason }
}
const inbox = async (sensei: { get: (path: string) => Promise<ApiResponse> }) =>
  (await sensei.get('/sms/inbox')).body
const unread = async (sensei: { get: (path: string) => Promise<ApiResponse> }) =>
  (await sensei.get('/sms/inbox/unread-count')).body.unread_count

test('shows an answer from a simulated phone in the inbox, unread until it is read', async () => {
  const { sensei, phone, answer } = await createSimulatedText()
  expect([await inbox(sensei), await unread(sensei)]).toEqual([[], 0])
  expect((await answer('Is there class on Monday?')).body).toEqual({ success: true, answer: null })
  expect((await answer('HELP')).body.answer).toMatch(/^Texts from your dojo/)
  expect(await inbox(sensei)).toMatchObject([
    { name: 'Mia Chen', text: 'HELP', wish: 'help', read_at: null },
    {
      name: 'Mia Chen',
      phone_number: phone,
      text: 'Is there class on Monday?',
      wish: null,
      read_at: null,
    },
  ])
  expect(await unread(sensei)).toBe(2)
  const [newest, first] = await inbox(sensei)
  expect((await sensei.put('/sms/inbox/read', { message_ids: [first.id] })).body).toEqual({
    success: true,
  })
  expect([await unread(sensei), (await inbox(sensei))[0].read_at]).toEqual([1, null])
  const { read_at } = (await inbox(sensei))[1]
  await sensei.put('/sms/inbox/read', {
    message_ids: [newest.id, first.id, '01980000-0000-7000-8000-000000000000'],
  })
  expect([await unread(sensei), (await inbox(sensei))[1].read_at]).toEqual([0, read_at])
  expect((await sensei.put('/sms/inbox/read', { message_ids: [] })).status).toBe(422)
})

test('updates the unread count immediately, and answers 304 while nothing changes', async () => {
  const { sensei, student, phone } = await createSimulatedText()
  const ask = async (tag = '') => {
    const { statusCode, headers } = await server.http.inject({
      url: '/api/sms/inbox/unread-count',
      headers: { authorization: `Bearer ${sensei.token}`, 'if-none-match': tag },
    })
    return { statusCode, tag: headers.etag }
  }
  const { tag } = await ask()
  expect((await ask(tag)).statusCode).toBe(304)
  await server.db.withoutDojo((tx) => receiveText(tx, { id: 'SM1', from: phone, text: 'Thanks' }))
  expect([(await ask(tag)).statusCode, await unread(sensei)]).toEqual([200, 1])
  await sensei.delete(`/students/${student.id}`)
  expect([await unread(sensei), await inbox(sensei)]).toEqual([0, []])
})

test('opts a simulated phone out by STOP and in by START, like a real one', async () => {
  const { answer, skipped } = await createSimulatedText()
  expect((await answer(' stop ')).body.answer).toMatch(/^You will get no more texts/)
  expect((await answer('STOP')).body.answer).toBe(null)
  expect(await skipped()).toBe('opted_out')
  expect((await answer('START')).body.answer).toMatch(/^You will get our texts again/)
  expect(await skipped()).toBe(null)
})

test('keeps a real STOP on a simulated START, and ends simulated STOPs', async () => {
  const real = await createSimulatedText(),
    simulatedText = await createSimulatedText()
  await server.db.withoutDojo((tx) =>
    receiveText(tx, { id: 'SM2', from: real.phone, text: 'STOP' }),
  )
  expect((await real.answer('START')).body.answer).toBe(null)
  await simulatedText.answer('STOP')
  expect([await real.skipped(), await simulatedText.skipped()]).toEqual(['opted_out', 'opted_out'])
  await server.db.withoutDojo(deleteSimulatedOptOuts)
  expect([await real.skipped(), await simulatedText.skipped()]).toEqual(['opted_out', null])
})

test('replaces a simulated STOP by a real one', async () => {
  const { answer, phone, skipped } = await createSimulatedText()
  await answer('STOP')
  expect(
    await server.db.withoutDojo((tx) => receiveText(tx, { id: 'SM3', from: phone, text: 'STOP' })),
  ).toMatch(/^You will get no more texts/)
  await server.db.withoutDojo(deleteSimulatedOptOuts)
  expect(await skipped()).toBe('opted_out')
})

test('delivers a simulated reply only to its own dojo', async () => {
  const ownText = await createSimulatedText(),
    theirs = await createSimulatedText(ownText.phone)
  await ownText.answer('Thanks')
  expect([(await inbox(ownText.sensei)).length, await inbox(theirs.sensei)]).toEqual([1, []])
  expect(
    (await theirs.sensei.post(`/sms/simulated/${ownText.id}/answer`, { text: 'x' })).status,
  ).toBe(404)
  await theirs.sensei.put('/sms/inbox/read', { message_ids: [(await inbox(ownText.sensei))[0].id] })
  expect(await unread(ownText.sensei)).toBe(1)
})

test('refuses a simulated answer when the service is real', async () => {
  const { sensei, id } = await createSimulatedText()
  const { http } = await server.openServer({ smsProvider: 'none' })
  const answer = await http.inject({
    method: 'POST',
    url: `/api/sms/simulated/${id}/answer`,
    headers: { authorization: `Bearer ${sensei.token}` },
    payload: { text: 'Hello' },
  })
  expect([answer.statusCode, answer.json().detail]).toEqual([
    409,
    'Texts are not simulated here, so replies come from real phones.',
  ])
})
