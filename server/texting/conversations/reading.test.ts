import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../db/columns.ts'
import { startTestServer } from '../../test/test-server.ts'
import { incomingTexts } from '../tables.ts'
import { touchConversations } from './conversations.ts'

const server = await startTestServer()
const phone = '+15125558001'
const path = `/sms/conversations/${encodeURIComponent(phone)}`

async function aConversation() {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const write = (text: string) =>
    sensei.post('/sms/simulated/incoming', { phone_number: phone, text })
  const unread = async () => (await sensei.get('/sms/conversations')).body[0].unread_count
  const newest = async () => (await sensei.get(`${path}/messages`)).body[0].id
  return { sensei, write, unread, newest }
}

test('a text that comes while the inbox is marked as read is counted as unread', async () => {
  const { sensei, write, unread, newest } = await aConversation()
  await write('One')
  const hasCome = Promise.withResolvers<void>(),
    isRead = Promise.withResolvers<void>()
  const coming = server.db.inDojo(sensei.dojoId, async (tx) => {
    await touchConversations(tx, [phone], 1)
    await tx.insert(incomingTexts).values({ provider_id: 'SM-two', phone, text: 'Two' })
    hasCome.resolve()
    await isRead.promise
  })
  await hasCome.promise
  const reading = sensei.put('/sms/inbox/read', { message_ids: [await newest()] })
  const waiting = async () =>
    (
      await server.db.withoutDojo((tx) =>
        tx.execute<{ n: number }>(
          sql`select count(distinct w.pid)::int as n from pg_locks w
            where not w.granted and exists (
              select from pg_locks r where r.pid = w.pid and r.database = (
                select oid from pg_database where datname = current_database()))`,
        ),
      )
    ).rows[0]!.n
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
  isRead.resolve()
  await coming
  expect((await reading).status).toBe(200)
  expect(await unread()).toBe(1)
})

test('a reply marks as read what was on the screen, not what came meanwhile', async () => {
  const { sensei, write, unread, newest } = await aConversation()
  await write('One')
  const up_to = await newest()
  await write('Two')
  expect((await sensei.post(`${path}/messages`, { text: 'To one', up_to: newId() })).status).toBe(
    404,
  )
  expect((await sensei.post(`${path}/messages`, { text: 'To one', up_to })).status).toBe(200)
  expect(await unread()).toBe(1)
  expect((await sensei.post(`${path}/messages`, { text: 'To both' })).status).toBe(200)
  expect(await unread()).toBe(0)
})
