import { expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { receiveText } from './incoming.ts'

const server = await startTestServer()

let phones = 0
let received = 0
const receive = (from: string, text: string, more: { keyword?: 'stop' } = {}) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(received += 1)}`, from, text, ...more }),
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
  const list = async () => (await sensei.get('/sms/conversations')).body
  const newest = async () => (await sensei.get(`${path}/messages`)).body[0]
  return { sensei, phone, path, reason, info, decide, list, newest }
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

test('pins a longer message that asks for no more texts above all others, until the instructor decides', async () => {
  const { sensei, phone, reason, info, decide, list, newest } = await aFamily()
  const other = '+15125558999'
  await server.createStudent(sensei, { name: 'Mia Diaz', phone_number: other })
  expect(await receive(phone, 'Leo is better. Please stop texting grandma')).toBe(null)
  await receive(other, 'Can we stop by tomorrow?')
  expect((await list()).map(({ phone_number }: { phone_number: string }) => phone_number)).toEqual([
    phone,
    other,
  ])
  expect((await list())[1].stop_asked_at).toBe(null)
  expect([await newest(), await info()]).toMatchObject([
    { asks_to_stop: true, keyword: null },
    { stop_asked_at: expect.any(String) },
  ])
  expect(await reason()).toBe(null)
  const pages = [
    (await sensei.get('/sms/conversations?limit=1')).body,
    (await sensei.get(`/sms/conversations?limit=1&before=${(await list())[0].id}`)).body,
  ]
  expect(pages.map(([row]) => row.phone_number)).toEqual([phone, other])
  expect((await decide(true)).body).toMatchObject({
    stop_asked_at: null,
    consents: [{ event: 'revoked', source: 'instructor', given_by: 'Leo Chen' }],
  })
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
  const other = await server.createSensei()
  expect((await other.put(`${path}/stop-request`, { ends_texts: true })).status).toBe(404)
})
