import { expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'
import { receiveText } from '../../messages/incoming.ts'

const server = await startTestServer()

let phoneCount = 0
let receivedCount = 0
const receiveFrom = (sender: string, text: string, fields: { keyword?: 'stop' } = {}) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(receivedCount += 1)}`, from: sender, text, ...fields }),
  )

async function createFamily() {
  const sensei = await server.createSensei()
  const phone = `+1512555${8000 + (phoneCount += 1)}`
  await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const path = `/sms/conversations/${encodeURIComponent(phone)}`
  const readSkipReason = async () =>
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body.students[0].reason
  const readPhoneInfo = async () =>
    (await sensei.get(`/sms/phones/${encodeURIComponent(phone)}`)).body
  const decide = (ends_texts: boolean) => sensei.put(`${path}/stop-request`, { ends_texts })
  const undo = () => sensei.put(`${path}/stop-request/undo`)
  const listConversations = async () => (await sensei.get('/sms/conversations')).body
  const readNewestText = async () => (await sensei.get(`${path}/messages`)).body[0]
  return {
    sensei,
    phone,
    path,
    readSkipReason,
    readPhoneInfo,
    decide,
    undo,
    listConversations,
    readNewestText,
  }
}

test.each(['opt out', 'ＳＴＯＰ', 'STOP - wrong number', 'please stop', 'S\u200BTOP ALL'])(
  'ends the texts after “%s”, and answers it',
  async (text) => {
    const { phone, readSkipReason, readPhoneInfo, readNewestText } = await createFamily()
    expect(await receiveFrom(phone, text)).toBe(
      'You will get no more texts from us. Reply START to get them again.',
    )
    expect(await readSkipReason()).toBe('opted_out')
    expect((await readNewestText()).keyword).toBe('stop')
    expect((await readPhoneInfo()).consents[0]).toMatchObject({ event: 'revoked', source: 'STOP' })
    expect(await receiveFrom(phone, 'ＳＴＡＲＴ')).toContain('You will get our texts again.')
    expect(await readSkipReason()).toBe(null)
  },
)

test('applies a request that only the provider recognized', async () => {
  const { phone, readSkipReason } = await createFamily()
  await receiveFrom(phone, 'Basta ya', { keyword: 'stop' })
  expect(await readSkipReason()).toBe('opted_out')
})

test('pins a possible stop request above all others until the instructor decides', async () => {
  const {
    sensei,
    phone,
    readSkipReason,
    readPhoneInfo,
    decide,
    listConversations,
    readNewestText,
  } = await createFamily()
  const otherPhone = '+15125558999'
  await server.createStudent(sensei, { name: 'Mia Diaz', phone_number: otherPhone })
  expect(await receiveFrom(phone, 'Leo is better. Please stop texting grandma')).toBe(null)
  await receiveFrom(otherPhone, 'Can we stop by tomorrow?')
  expect(
    (await listConversations()).map(({ phone_number }: { phone_number: string }) => phone_number),
  ).toEqual([phone, otherPhone])
  expect((await listConversations())[1].stop_asked_at).toBe(null)
  expect([await readNewestText(), await readPhoneInfo()]).toMatchObject([
    { stop_request: 'open', keyword: null },
    { stop_asked_at: expect.any(String) },
  ])
  expect(await readSkipReason()).toBe(null)
  const pages = [
    (await sensei.get('/sms/conversations?limit=1')).body,
    (await sensei.get(`/sms/conversations?limit=1&before=${(await listConversations())[0].id}`))
      .body,
  ]
  expect(pages.map(([row]) => row.phone_number)).toEqual([phone, otherPhone])
  expect((await decide(true)).body).toMatchObject({
    stop_asked_at: null,
    consents: [{ event: 'revoked', source: 'instructor', given_by: 'Leo Chen' }],
  })
  expect((await readNewestText()).stop_request).toBe('ended')
  expect(await readSkipReason()).toBe('opted_out')
  expect((await decide(true)).status).toBe(409)
})

test('keeps texting if the instructor decides to, and pins a later request again', async () => {
  const { phone, readSkipReason, readPhoneInfo, decide } = await createFamily()
  await receiveFrom(phone, 'Stop texting my husband, text me instead')
  expect((await decide(false)).body).toMatchObject({ stop_asked_at: null, consents: [] })
  expect(await readSkipReason()).toBe(null)
  await receiveFrom(phone, 'I want this to stop')
  expect((await readPhoneInfo()).stop_asked_at).toEqual(expect.any(String))
  await receiveFrom(phone, 'STOP')
  expect((await readPhoneInfo()).stop_asked_at).toBe(null)
  await receiveFrom(phone, 'I have asked you to stop sending me texts')
  expect((await readPhoneInfo()).stop_asked_at, 'the phone gets no texts').toBe(null)
})

test('refuses a decision by another dojo', async () => {
  const { phone, path } = await createFamily()
  await receiveFrom(phone, 'I want this to stop')
  const otherSensei = await server.createSensei()
  expect((await otherSensei.put(`${path}/stop-request`, { ends_texts: true })).status).toBe(404)
})

test.each([
  [true, 'ended'],
  [false, 'kept'],
])(
  'undoes a decision, and pins the request again (ends texts: %s)',
  async (endsTexts, decidedState) => {
    const { phone, readSkipReason, readPhoneInfo, decide, undo, readNewestText } =
      await createFamily()
    await receiveFrom(phone, 'We moved, please stop all this')
    const infoBefore = await readPhoneInfo()
    await decide(endsTexts)
    expect((await readNewestText()).stop_request).toBe(decidedState)
    const undoReply = await undo()
    expect(undoReply.status).toBe(200)
    expect(undoReply.body).toEqual({ ...infoBefore, stop_asked_at: expect.any(String) })
    expect([await readSkipReason(), (await readNewestText()).stop_request]).toEqual([null, 'open'])
    expect((await undo()).status, 'no decision is left to undo').toBe(409)
    expect((await decide(true)).body.consents).toHaveLength(1)
    expect(await readSkipReason()).toBe('opted_out')
  },
)

test('refuses to undo a decision after two minutes', async () => {
  const { phone, readSkipReason, decide, undo } = await createFamily()
  await receiveFrom(phone, 'We moved, please stop all this')
  await decide(true)
  setClock(new Date(Date.now() + 3 * 60_000).toISOString())
  expect(await undo()).toMatchObject({
    status: 409,
    body: { detail: 'This can no longer be undone here.' },
  })
  expect(await readSkipReason()).toBe('opted_out')
})

test('never undoes a STOP from the phone itself', async () => {
  const { phone, readSkipReason, decide, undo, readNewestText } = await createFamily()
  await receiveFrom(phone, 'I want this to stop')
  await decide(true)
  await receiveFrom(phone, 'STOP')
  expect((await undo()).status).toBe(409)
  expect(await readSkipReason()).toBe('opted_out')
  await receiveFrom(phone, 'START')
  await receiveFrom(phone, 'Please stop all this')
  await receiveFrom(phone, 'STOP')
  expect((await undo()).status).toBe(409)
  expect((await readNewestText()).keyword).toBe('stop')
})

test('marks a request as ended when the phone sends STOP later', async () => {
  const { sensei, phone, readNewestText } = await createFamily()
  await receiveFrom(phone, 'We moved, please stop all this')
  const requestId = (await readNewestText()).id
  const readState = async () =>
    (await sensei.get(`/sms/conversations/${encodeURIComponent(phone)}/messages`)).body.find(
      ({ id }: { id: string }) => id === requestId,
    ).stop_request
  await receiveFrom(phone, 'STOP')
  expect(await readState()).toBe('ended')
})

test('refuses to undo a decision for an instructor of another dojo', async () => {
  const { sensei, path, phone, decide } = await createFamily()
  await receiveFrom(phone, 'We moved, please stop all this')
  await decide(true)
  const otherSensei = await server.createSensei()
  expect((await otherSensei.put(`${path}/stop-request/undo`)).status).toBe(404)
  expect((await sensei.put(`${path}/stop-request/undo`)).status).toBe(200)
})
