import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { capturePlans } from '../../test/query-plans.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
const plans = capturePlans()
afterAll(async () => {
  plans.stop()
  await admin.end()
})

test('reads a page of conversations and one conversation only through indexes', async () => {
  const sensei = await server.createSensei()
  await server.db.inDojo(sensei.dojoId, async (tx) => {
    const phone = sql`'+1512' || (2000000 + n)`
    await tx.execute(sql`insert into conversations (id, phone, unread, last_at)
      select gen_random_uuid(), ${phone}, n % 2, now() - n * interval '1 minute'
      from generate_series(1, 5000) n`)
    await tx.execute(sql`insert into incoming_texts (id, provider_id, phone, text, received_at)
      select gen_random_uuid(), 'SM' || n, ${phone}, 'Hello', now()
      from generate_series(1, 5000) n`)
  })
  for (const table of ['conversations', 'incoming_texts', 'messages', 'students', 'guardians'])
    await admin.query(`analyze ${table}`)
  plans.take()
  const page = (await sensei.get('/sms/conversations?limit=20')).body
  expect(page.map(({ unread_count }: { unread_count: number }) => unread_count)).toEqual(
    page.map(() => 1),
  )
  await sensei.get(`/sms/conversations?limit=20&before=${page.at(-1).id}`)
  await sensei.get(
    `/sms/conversations/${encodeURIComponent(page[0].phone_number)}/messages?limit=20`,
  )
  const allScans = plans.take().flatMap(({ scans }) => scans)
  const indexesOf = (table: string) => [
    ...new Set(allScans.filter((scan) => scan.table === table).map(({ index }) => index)),
  ]
  expect(indexesOf('conversations')).toContain('conversations_listed')
  expect(indexesOf('incoming_texts')).toEqual(['incoming_texts_of_phone'])
  expect(indexesOf('messages')).toEqual(['messages_to_phone'])
  for (const table of ['conversations', 'students', 'guardians'])
    expect(indexesOf(table)).not.toContain(undefined)
})
