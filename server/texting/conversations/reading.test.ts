import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../db/columns.ts'
import { startTestServer } from '../../test/test-server.ts'
import { incomingTexts } from '../tables.ts'
import { touchConversations } from './conversations.ts'

const server = await startTestServer()
const phone = '+15125558001'
const path = `/sms/conversations/${encodeURIComponent(phone)}`

async function createConversation() {
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const write = (text: string) =>
    sensei.post('/sms/simulated/incoming', { phone_number: phone, text })
  const countUnread = async () => (await sensei.get('/sms/conversations')).body[0].unread_count
  const readNewestId = async () => (await sensei.get(`${path}/messages`)).body[0].id
  return { sensei, write, countUnread, readNewestId }
}

test('a text that arrives while the inbox is being marked as read stays unread', async () => {
  const { sensei, write, countUnread, readNewestId } = await createConversation()
  await write('One')
  const isInserted = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const insertion = server.db.inDojo(sensei.dojoId, async (tx) => {
    await touchConversations(tx, [phone], 1)
    await tx.insert(incomingTexts).values({ provider_id: 'SM-two', phone, text: 'Two' })
    isInserted.resolve()
    await mayCommit.promise
  })
  await isInserted.promise
  const markReadRequest = sensei.put('/sms/inbox/read', { message_ids: [await readNewestId()] })
  const countWaitingTransactions = async () =>
    (
      await server.db.withoutDojo((tx) =>
        tx.execute<{ count: number }>(
          sql`select count(distinct waiting.pid)::int as count from pg_locks waiting
            where not waiting.granted and exists (
              select from pg_locks held where held.pid = waiting.pid and held.database = (
                select oid from pg_database where datname = current_database()))`,
        ),
      )
    ).rows[0]!.count
  await expect.poll(countWaitingTransactions, { timeout: 10_000 }).toBe(1)
  mayCommit.resolve()
  await insertion
  expect((await markReadRequest).status).toBe(200)
  expect(await countUnread()).toBe(1)
})

test('marks only the texts on the screen as read when a reply is sent', async () => {
  const { sensei, write, countUnread, readNewestId } = await createConversation()
  await write('One')
  const up_to = await readNewestId()
  await write('Two')
  expect((await sensei.post(`${path}/messages`, { text: 'To one', up_to: newId() })).status).toBe(
    404,
  )
  expect((await sensei.post(`${path}/messages`, { text: 'To one', up_to })).status).toBe(200)
  expect(await countUnread()).toBe(1)
  expect((await sensei.post(`${path}/messages`, { text: 'To both' })).status).toBe(200)
  expect(await countUnread()).toBe(0)
})
