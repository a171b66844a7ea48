import { expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'
import { receiveText } from '../../messages/incoming.ts'

const server = await startTestServer()

let phones = 0
let receivedCount = 0
const receive = (sender: string, text: string, fields: { keyword?: 'stop' } = {}) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(receivedCount += 1)}`, from: sender, text, ...fields }),
  )

async function aFamily() {
  const sensei = await server.createSensei()
  const phone = `+1512555${8000 + (phones += 1)}`
  await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const path = `/sms/conversations/${encodeURIComponent(phone)}`
  const reason = async () =>
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body.students[0].reason
  const info = async () => (await sensei.get(`/sms/phones/${encodeURIComponent(phone)}`)).body
  const decide = (ends_texts: boolean) => sensei.put(`${path}/stop-request`, { ends_texts })
  const undo = () => sensei.put(`${path}/stop-request/undo`)
  const list = async () => (await sensei.get('/sms/conversations')).body
  const newest = async () => (await sensei.get(`${path}/messages`)).body[0]
  return { sensei, phone, path, reason, info, decide, undo, list, newest }
}

test.each(['opt out', 'ＳＴＯＰ', 'STOP - wrong number', 'please stop', 'S\u200BTOP ALL'])(
  '“%s” ends the texts and is answered',
  async (text) => {
    const { phone, reason, info, newest } = await aFamily()
    expect(await receive(phone, text)).toBe(
      'You will get no more texts from us. Reply START to get them again.',
    )
    expect(await reason()).toBe('opted_out')
    expect((await newest()).keyword).toBe('stop')
    expect((await info()).consents[0]).toMatchObject({ event: 'revoked', source: 'STOP' })
    expect(await receive(phone, 'ＳＴＡＲＴ')).toContain('You will get our texts again.')
    expect(await reason()).toBe(null)
  },
)

test('takes the provider’s word for a request in words of its own', async () => {
  const { phone, reason } = await aFamily()
  await receive(phone, 'Basta ya', { keyword: 'stop' })
  expect(await reason()).toBe('opted_out')
})

test('pins a possible stop request above all others until the instructor decides', async () => {
  const { sensei, phone, reason, info, decide, list, newest } = await aFamily()
  const otherPhone = '+15125558999'
  await server.createStudent(sensei, { name: 'Mia Diaz', phone_number: otherPhone })
  expect(await receive(phone, 'Leo is better. Please stop texting grandma')).toBe(null)
  await receive(otherPhone, 'Can we stop by tomorrow?')
  expect((await list()).map(({ phone_number }: { phone_number: string }) => phone_number)).toEqual([
    phone,
    otherPhone,
  ])
  expect((await list())[1].stop_asked_at).toBe(null)
  expect([await newest(), await info()]).toMatchObject([
    { stop_request: 'open', keyword: null },
    { stop_asked_at: expect.any(String) },
  ])
  expect(await reason()).toBe(null)
  const pages = [
    (await sensei.get('/sms/conversations?limit=1')).body,
    (await sensei.get(`/sms/conversations?limit=1&before=${(await list())[0].id}`)).body,
  ]
  expect(pages.map(([row]) => row.phone_number)).toEqual([phone, otherPhone])
  expect((await decide(true)).body).toMatchObject({
    stop_asked_at: null,
    consents: [{ event: 'revoked', source: 'instructor', given_by: 'Leo Chen' }],
  })
  expect((await newest()).stop_request).toBe('ended')
  expect(await reason()).toBe('opted_out')
  expect((await decide(true)).status).toBe(409)
})

test('goes on texting where the instructor says so, and pins a later request anew', async () => {
  const { phone, reason, info, decide } = await aFamily()
  await receive(phone, 'Stop texting my husband, text me instead')
  expect((await decide(false)).body).toMatchObject({ stop_asked_at: null, consents: [] })
  expect(await reason()).toBe(null)
  await receive(phone, 'I want this to stop')
  expect((await info()).stop_asked_at).toEqual(expect.any(String))
  await receive(phone, 'STOP')
  expect((await info()).stop_asked_at).toBe(null)
  await receive(phone, 'I have asked you to stop sending me texts')
  expect((await info()).stop_asked_at, 'no texts go there').toBe(null)
})

test('another dojo neither sees nor decides a request', async () => {
  const { phone, path } = await aFamily()
  await receive(phone, 'I want this to stop')
  const otherSensei = await server.createSensei()
  expect((await otherSensei.put(`${path}/stop-request`, { ends_texts: true })).status).toBe(404)
})

test.each([
  [true, 'ended'],
  [false, 'kept'],
])(
  'takes a decision back at once, and pins the request again (ends texts: %s)',
  async (endsTexts, decidedState) => {
    const { phone, reason, info, decide, undo, newest } = await aFamily()
    await receive(phone, 'We moved, please stop all this')
    const infoBefore = await info()
    await decide(endsTexts)
    expect((await newest()).stop_request).toBe(decidedState)
    const undone = await undo()
    expect(undone.status).toBe(200)
    expect(undone.body).toEqual({ ...infoBefore, stop_asked_at: expect.any(String) })
    expect([await reason(), (await newest()).stop_request]).toEqual([null, 'open'])
    expect((await undo()).status, 'nothing is decided').toBe(409)
    expect((await decide(true)).body.consents).toHaveLength(1)
    expect(await reason()).toBe('opted_out')
  },
)

test('takes no decision back after two minutes', async () => {
  const { phone, reason, decide, undo } = await aFamily()
  await receive(phone, 'We moved, please stop all this')
  await decide(true)
  setClock(new Date(Date.now() + 3 * 60_000).toISOString())
  expect(await undo()).toMatchObject({
    status: 409,
    body: { detail: 'This can no longer be undone here.' },
  })
  expect(await reason()).toBe('opted_out')
})

test('never takes back a STOP of the phone itself', async () => {
  const { phone, reason, decide, undo, newest } = await aFamily()
  await receive(phone, 'I want this to stop')
  await decide(true)
  await receive(phone, 'STOP')
  expect((await undo()).status).toBe(409)
  expect(await reason()).toBe('opted_out')
  await receive(phone, 'START')
  await receive(phone, 'Please stop all this')
  await receive(phone, 'STOP')
  expect((await undo()).status).toBe(409)
  expect((await newest()).keyword).toBe('stop')
})

test('says of a request what the phone itself or the instructor has made of it since', async () => {
  const { sensei, phone, newest } = await aFamily()
  await receive(phone, 'We moved, please stop all this')
  const request = (await newest()).id
  const stateOf = async () =>
    (await sensei.get(`/sms/conversations/${encodeURIComponent(phone)}/messages`)).body.find(
      ({ id }: { id: string }) => id === request,
    ).stop_request
  await receive(phone, 'STOP')
  expect(await stateOf()).toBe('ended')
})

test('another instructor does not take an end of texts back', async () => {
  const { sensei, path, phone, decide } = await aFamily()
  await receive(phone, 'We moved, please stop all this')
  await decide(true)
  const otherSensei = await server.createSensei()
  expect((await otherSensei.put(`${path}/stop-request/undo`)).status).toBe(404)
  expect((await sensei.put(`${path}/stop-request/undo`)).status).toBe(200)
})
