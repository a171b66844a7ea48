import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const PHONE = '+15125550177'

async function createFamily(changes: object = {}) {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  const rosa = await server.createGuardian(sensei, [leo], {
    name: 'Rosa Diaz',
    phone: '512 555 0177',
    ...changes,
  })
  return { sensei, leo, rosa }
}

test('a guardian’s message joins the conversation with their phone, unread', async () => {
  const { sensei, rosa } = await createFamily()
  expect((await rosa.get('/family/home')).body.reply_phone).toBe(PHONE)
  const { status, body } = await rosa.post('/family/messages', { text: 'Leo has a cold.' })
  expect([status, body]).toEqual([200, { reply_phone: PHONE }])
  const [conversation] = (await sensei.get('/sms/conversations')).body
  expect(conversation).toMatchObject({ phone_number: PHONE, unread_count: 1 })
  const thread = await sensei.get(`/sms/conversations/${encodeURIComponent(PHONE)}/messages`)
  expect(JSON.stringify(thread.body)).toContain('Leo has a cold.\\n(Rosa Diaz, in the app)')
})

test('a message in the app is never a command', async () => {
  const { sensei, rosa } = await createFamily()
  await rosa.post('/family/messages', { text: 'STOP' })
  const [conversation] = (await sensei.get('/sms/conversations')).body
  expect(conversation).toMatchObject({ unread_count: 1, stop_asked_at: null })
})

test('refuses a message without a phone or an approved child', async () => {
  const { leo, rosa } = await createFamily({ phone: null })
  for (const person of [rosa, leo]) {
    const { status, body } = await person.post('/family/messages', { text: 'Hello' })
    expect([status, body.detail]).toEqual([
      409,
      'Ask your instructor to add your phone number first.',
    ])
  }
  expect((await rosa.get('/family/home')).body.reply_phone).toBeNull()
})

test('refuses more than twenty messages an hour', async () => {
  setClock('2027-03-01T12:00:00Z')
  const { rosa } = await createFamily()
  const write = async () => (await rosa.post('/family/messages', { text: 'Hello' })).status
  for (let count = 0; count < 20; count += 1) expect(await write()).toBe(200)
  expect(await write()).toBe(429)
  setClock('2027-03-01T13:01:00Z')
  expect(await write()).toBe(200)
})
