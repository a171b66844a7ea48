import { expect, test } from 'vitest'
import { createGradingDojo } from '../../test/grading-dojo.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()

/** Leo and Mia share a phone. Zoë has her own. */
async function createDojo(...vacationers: ('leo' | 'mia' | 'zoe')[]) {
  const dojo = await createGradingDojo(server)
  for (const name of vacationers)
    await dojo.sensei.put(`/students/${dojo[name].id}/vacation`, {
      vacation_from: '2026-01-01',
      vacation_until: null,
    })
  const countTexts = async () => (await dojo.sensei.get('/daily-message-usage')).body.message_count
  return { ...dojo, countTexts }
}
const expectedQuestion = (names: string) => {
  const message = `${names}, and students on vacation receive no messages. Send it anyway?`
  return { detail: message, errors: [{ field: 'even_on_vacation', message }] }
}

test('asks before texting selected students if one of them is on vacation', async () => {
  const { sensei, leo, zoe, countTexts } = await createDojo('zoe')
  const message = { student_ids: [leo.id, zoe.id], text: 'Hi {name}' }
  for (const path of ['/sms/messages', '/slipping-away/texts']) {
    const textsBefore = await countTexts()
    const response = await sensei.post(path, message)
    expect([response.status, response.body]).toEqual([
      409,
      expectedQuestion('Zoë Łukasz is on vacation'),
    ])
    expect((await sensei.post(path, { ...message, even_on_vacation: false })).status).toBe(409)
    expect(await countTexts()).toBe(textsBefore)
    expect((await sensei.post(path, { ...message, even_on_vacation: true })).body).toMatchObject({
      total_recipients: 2,
    })
    expect(await countTexts()).toBeGreaterThan(textsBefore)
  }
  expect((await sensei.post('/sms/messages', { ...message, student_ids: [leo.id] })).status).toBe(
    200,
  )
})

test('asks before a reply if all students of the phone are on vacation', async () => {
  const { sensei, phone, leo, mia, countTexts } = await createDojo('leo')
  const path = `/sms/conversations/${encodeURIComponent(phone)}/messages`
  expect(
    (await sensei.post(path, { text: 'Mia has class' })).status,
    'Mia is not on vacation',
  ).toBe(200)
  await sensei.put(`/students/${mia.id}/vacation`, {
    vacation_from: '2026-01-01',
    vacation_until: null,
  })
  const textsBefore = await countTexts()
  const response = await sensei.post(path, { text: 'Enjoy' })
  expect([response.status, response.body]).toEqual([
    409,
    expectedQuestion('2 of them are on vacation'),
  ])
  expect(await countTexts()).toBe(textsBefore)
  expect((await sensei.post(path, { text: 'Enjoy', even_on_vacation: true })).status).toBe(200)
  await sensei.put(`/students/${leo.id}/vacation`, { vacation_from: null, vacation_until: null })
  expect((await sensei.post(path, { text: 'Welcome back' })).status).toBe(200)
})

test('asks before an invitation by text, but not before an invitation in the app', async () => {
  const { sensei, zoe, plan, readCandidate } = await createDojo('zoe')
  const { id } = (await plan()).body
  const invite = (fields: object) =>
    sensei.post(`/gradings/${id}/invitations`, { student_ids: [zoe.id], text: 'Come', ...fields })
  const response = await invite({})
  expect([response.status, response.body]).toEqual([
    409,
    expectedQuestion('Zoë Łukasz is on vacation'),
  ])
  expect((await readCandidate(id, zoe)).invited_at).toBe(null)
  expect((await invite({ even_on_vacation: true })).body.texts.total_texts).toBe(1)
  expect((await invite({ text: null })).status).toBe(200)
})
