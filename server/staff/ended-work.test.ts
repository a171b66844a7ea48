import { rightsOfPreset } from '@tatami/contract/rights'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

let sensei: Awaited<ReturnType<typeof server.createSensei>>
let kim: Awaited<ReturnType<typeof server.createStaff>>
beforeEach(async () => {
  sensei = await server.createSensei()
  kim = await server.createStaff(sensei, { rights: rightsOfPreset('instructor') })
})
const endWork = (fields: object = {}) => sensei.post(`/staff/${kim.id}/end`, fields)

describe('after a person’s work ends', () => {
  test('their sessions end at the next call to any server, with the reason', async () => {
    const phone = await server.signIn(kim.email)
    const otherServer = await server.openServer()
    const callOtherServer = () =>
      otherServer.http.inject({
        url: '/api/students',
        headers: { authorization: `Bearer ${phone.token}` },
      })
    expect((await callOtherServer()).statusCode).toBe(200)
    await endWork()
    for (const session of [kim, phone])
      expect(await session.get('/students')).toMatchObject({
        status: 401,
        body: { reason: 'staff-ended' },
      })
    await expect.poll(async () => (await callOtherServer()).statusCode).toBe(401)
  })

  test('their name stays on texts, payments and the audit log', async () => {
    const mia = await server.createStudent(sensei, { name: 'Mia Lund', phone_number: '5125550177' })
    await kim.post('/notifications/send', {
      title: 'Bring water',
      message: 'It is hot.',
      student_ids: [mia.id],
    })
    await kim.post('/sms/messages', { student_ids: [mia.id], text: 'See you at 5.' })
    await kim.post('/payments', { student_id: mia.id, amount: 10 })
    await endWork()
    const { body: conversations } = await sensei.get('/sms/conversations')
    const [conversation] = conversations
    const { body: thread } = await sensei.get(
      `/sms/conversations/${encodeURIComponent(conversation.phone_number)}/messages`,
    )
    expect(JSON.stringify(thread)).toContain('Kim Park')
    const { body: account } = await sensei.get(`/students/${mia.id}/account`)
    expect(account.lines[0].created_by).toBe('Kim Park')
    const { body: log } = await sensei.get('/audit-log?kind=payments')
    expect(log).toMatchObject([{ action: 'payment taken', actor: 'Kim Park' }])
  })

  test('their waiting texts are still sent', async () => {
    const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
    const { status } = await kim.post('/sms/messages', { student_ids: [mia.id], text: 'Hi' })
    await endWork()
    const { body: page } = await sensei.get(`/students/${mia.id}`)
    expect([status, JSON.stringify(page).includes('Hi')]).toEqual([200, true])
  })
})
