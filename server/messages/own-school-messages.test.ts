import { afterAll, expect, test } from 'vitest'
import { type ApiClient, startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'

const server = await startTestServer()
const stopWorker = startTestWorker(server, {
  publicUrl: 'http://localhost',
  smsProvider: 'simulator',
  smsPerSecond: 1000,
})
afterAll(stopWorker)

const PHONE = '512 555 0177'
const CONVERSATION_PATH = `/sms/conversations/${encodeURIComponent('+15125550177')}`

async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz' })
  const rosa = await server.createGuardian(sensei, [leo], { name: 'Rosa Diaz', phone: PHONE })
  return { sensei, leo, rosa }
}

type FamilyMessage = { is_answer: boolean; text: string }
const listMessages = async (person: ApiClient) => {
  const { messages, shows_answers } = (await person.get('/family/messages')).body
  const texts = messages.map(({ is_answer, text }: FamilyMessage) =>
    is_answer ? `School: ${text}` : text,
  )
  return { texts, shows_answers }
}
const writeToSchool = (person: ApiClient, text: string) => person.post('/family/messages', { text })

const ANSWER_NOTIFICATION = /^An answer from /
const listNotifiedAnswers = async (person: ApiClient) => {
  const { body } = await person.get('/notifications')
  return body
    .filter(({ title }: { title: string }) => ANSWER_NOTIFICATION.test(title))
    .map(({ message, opens }: { message: string; opens: string }) => ({ message, opens }))
}

async function sendAnswer(sensei: ApiClient, text: string) {
  expect((await sensei.post(`${CONVERSATION_PATH}/messages`, { text })).status).toBe(200)
  const readNewest = async () => (await sensei.get(`${CONVERSATION_PATH}/messages`)).body[0]
  await expect
    .poll(async () => (await readNewest()).state, { timeout: 10_000 })
    .toMatch(/accepted|sent|delivered/)
}

test('a guardian sees their own messages and the answers since the first of them', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await sendAnswer(sensei, 'Welcome to the school.')
  await writeToSchool(rosa, 'Leo has a cold.')
  await sendAnswer(sensei, 'Get well soon, {name}.')
  await writeToSchool(rosa, 'Thanks\n(Ben Diaz, in the app)')
  expect(await listMessages(rosa)).toEqual({
    texts: ['Thanks\n(Ben Diaz, in the app)', 'School: Get well soon, Leo.', 'Leo has a cold.'],
    shows_answers: true,
  })
  expect(await listMessages(leo)).toEqual({ texts: [], shows_answers: true })
})

test('two guardians who share a phone see neither each other’s messages nor answers', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await writeToSchool(rosa, 'Leo has a cold.')
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: PHONE })
  await writeToSchool(ben, 'Is there class?')
  await sendAnswer(sensei, 'Yes, at five.')
  expect(await listMessages(rosa)).toEqual({ texts: ['Leo has a cold.'], shows_answers: false })
  expect(await listMessages(ben)).toEqual({ texts: ['Is there class?'], shows_answers: false })
})

test('a guardian sees no answers if a student of another family has the same phone', async () => {
  const { sensei, rosa } = await createFamily()
  await writeToSchool(rosa, 'Leo has a cold.')
  await server.createStudent(sensei, { name: 'Ken Adams', phone_number: PHONE })
  await sendAnswer(sensei, 'Ken owes $40.')
  expect(await listMessages(rosa)).toEqual({ texts: ['Leo has a cold.'], shows_answers: false })
})

test('a guardian is notified of each answer that they can see in the app', async () => {
  const { sensei, leo, rosa } = await createFamily()
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: null })
  await sendAnswer(sensei, 'Welcome to the school.')
  expect(await listNotifiedAnswers(rosa)).toEqual([])
  await writeToSchool(rosa, 'Leo has a cold.')
  await sendAnswer(sensei, 'Get well soon, {name}.')
  expect(await listNotifiedAnswers(rosa)).toEqual([
    { message: 'Get well soon, Leo.', opens: '/message-center' },
  ])
  for (const person of [leo, ben]) expect(await listNotifiedAnswers(person)).toEqual([])
})

test('nobody is notified of an answer if two guardians share a phone', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await writeToSchool(rosa, 'Leo has a cold.')
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Diaz', phone: PHONE })
  await writeToSchool(ben, 'Is there class?')
  await sendAnswer(sensei, 'Yes, at five.')
  for (const person of [leo, rosa, ben]) expect(await listNotifiedAnswers(person)).toEqual([])
})

test('a text to selected students is not an answer, so nobody is notified of it', async () => {
  const { sensei, leo, rosa } = await createFamily()
  await writeToSchool(rosa, 'Leo has a cold.')
  const text = { student_ids: [leo.id], text: 'No class today.' }
  expect((await sensei.post('/sms/messages', text)).status).toBe(200)
  expect(await listNotifiedAnswers(rosa)).toEqual([])
})
