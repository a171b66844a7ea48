import { afterAll, expect, test } from 'vitest'
import { type ApiClient, startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'

const server = await startTestServer()
const stop = startTestWorker(server, {
  publicUrl: 'http://localhost',
  smsProvider: 'simulator',
  smsPerSecond: 1000,
})
afterAll(stop)

const PHONE = '512 555 0177'
const CONVERSATION = `/sms/conversations/${encodeURIComponent('+15125550177')}`

async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  const rosa = await server.createGuardian(sensei, [leo], { name: 'Rosa Diaz', phone: PHONE })
  return { sensei, leo, rosa }
}

type Entry = { is_answer: boolean; text: string }
const listMessages = async (person: ApiClient) => {
  const { messages, shows_answers } = (await person.get('/family/messages')).body
  const texts = messages.map(({ is_answer, text }: Entry) => (is_answer ? `School: ${text}` : text))
  return { texts, shows_answers }
}
const write = (person: ApiClient, text: string) => person.post('/family/messages', { text })

const ANSWER_TITLE = /^An answer from /
const listNotifiedAnswers = async (person: ApiClient) => {
  const { body } = await person.get('/notifications')
  return body
    .filter(({ title }: { title: string }) => ANSWER_TITLE.test(title))
    .map(({ message, opens }: { message: string; opens: string }) => ({ message, opens }))
}

async function reply(sensei: ApiClient, text: string) {
  expect((await sensei.post(`${CONVERSATION}/messages`, { text })).status).toBe(200)
  const readNewest = async () => (await sensei.get(`${CONVERSATION}/messages`)).body[0]
  await expect
    .poll(async () => (await readNewest()).state, { timeout: 10_000 })
    .toMatch(/accepted|sent|delivered/)
}

test('shows a guardian what they wrote and what the school answered since', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await reply(sensei, 'Welcome to the school.')
  await write(rosa, 'Leo has a cold.')
  await reply(sensei, 'Get well soon, {name}.')
  await write(rosa, 'Thanks\n(Ben Diaz, in the app)')
  expect(await listMessages(rosa)).toEqual({
    texts: ['Thanks\n(Ben Diaz, in the app)', 'School: Get well soon, Leo.', 'Leo has a cold.'],
    shows_answers: true,
  })
  expect(await listMessages(leo)).toEqual({ texts: [], shows_answers: true })
})

test('shows nothing of others who use the same phone, not even answers', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await write(rosa, 'Leo has a cold.')
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: PHONE })
  await write(ben, 'Is there class?')
  await reply(sensei, 'Yes, at five.')
  expect(await listMessages(rosa)).toEqual({ texts: ['Leo has a cold.'], shows_answers: false })
  expect(await listMessages(ben)).toEqual({ texts: ['Is there class?'], shows_answers: false })
})

test('shows no answers if a student of another family has the phone', async () => {
  const { sensei, rosa } = await createFamily()
  await write(rosa, 'Leo has a cold.')
  await server.createStudent(sensei, { name: 'Ken Adams', phone_number: PHONE })
  await reply(sensei, 'Ken owes $40.')
  expect(await listMessages(rosa)).toEqual({ texts: ['Leo has a cold.'], shows_answers: false })
})

test('notifies a guardian of each answer that the app shows them', async () => {
  const { sensei, leo, rosa } = await createFamily()
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: null })
  await reply(sensei, 'Welcome to the school.')
  expect(await listNotifiedAnswers(rosa)).toEqual([])
  await write(rosa, 'Leo has a cold.')
  await reply(sensei, 'Get well soon, {name}.')
  expect(await listNotifiedAnswers(rosa)).toEqual([
    { message: 'Get well soon, Leo.', opens: '/message-center' },
  ])
  for (const person of [leo, ben]) expect(await listNotifiedAnswers(person)).toEqual([])
})

test('notifies nobody of an answer if two guardians use the same phone', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await write(rosa, 'Leo has a cold.')
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: PHONE })
  await write(ben, 'Is there class?')
  await reply(sensei, 'Yes, at five.')
  for (const person of [leo, rosa, ben]) expect(await listNotifiedAnswers(person)).toEqual([])
})

test('does not notify a guardian of a text to selected students', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await write(rosa, 'Leo has a cold.')
  const text = { student_ids: [leo.id], text: 'No class today.' }
  expect((await sensei.post('/sms/messages', text)).status).toBe(200)
  expect(await listNotifiedAnswers(rosa)).toEqual([])
})
