import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { createStudents, dojoIdOf } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startWorker } from './worker.ts'
import { NO_PROVIDER, type OutgoingText } from '../providers/provider.ts'
import { claimNextTexts, dequeueShares, requeueAndWake, SENDING_QUEUE } from './queue.ts'

const server = await startTestServer()
const otherServer = await server.openServer()
const throwError = (error: unknown) => {
  throw error
}
const UNLIMITED_PER_SECOND = 100_000

let sentTexts: OutgoingText[] = []
const provider = {
  ...NO_PROVIDER,
  hasCallbacks: true,
  send: async (text: OutgoingText) => {
    sentTexts.push(text)
    return { id: `SM${text.messageId}`, status: 'accepted' as const, errorCode: null }
  },
}
const stopWorkers: (() => Promise<void>)[] = []
const startWorkerOn = (
  { db, pubsub }: Pick<typeof server, 'db' | 'pubsub'>,
  perSecond = UNLIMITED_PER_SECOND,
) => void stopWorkers.push(startWorker({ db, pubsub, provider, perSecond, onError: throwError }))
afterEach(async () => {
  for (const stop of stopWorkers.splice(0)) await stop()
  sentTexts = []
})

await (
  await server.signInSuperAdmin()
).put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
/** A dojo with some students, and a function that queues a text to each of them. */
async function createDojo(studentCount: number) {
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, studentCount)
  const send = () =>
    sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  return { dojoId, send, listSentTexts: () => sentTexts.filter((text) => text.dojoId === dojoId) }
}
const listJobs = async () =>
  (
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`select data from pgboss.job where name = ${SENDING_QUEUE}`),
    )
  ).rows

test('lets dojos take turns when only one text may be sent at a time', async () => {
  const largeDojo = await createDojo(5)
  const smallDojo = await createDojo(2)
  for (const { send } of [largeDojo, smallDojo]) await send()
  const order: string[] = []
  for (let round = 0; round < 9; round += 1) {
    const { texts } = await server.db.withoutDojo((tx) =>
      claimNextTexts(tx, UNLIMITED_PER_SECOND, 1),
    )
    order.push(...texts.map(({ dojo_id }) => (dojo_id === largeDojo.dojoId ? 'large' : 'small')))
  }
  expect(order).toEqual(['large', 'small', 'large', 'small', 'large', 'large', 'large'])
  expect(await listJobs()).toEqual([])
})

test('queues a dojo only once, even with many texts', async () => {
  const { dojoId, send } = await createDojo(2)
  await send()
  await send()
  expect(await listJobs()).toEqual([{ data: { id: dojoId } }])
  startWorkerOn(server)
  await expect.poll(() => sentTexts.length).toBe(4)
  await expect.poll(listJobs).toEqual([])
})

test('sends a manual text immediately', async () => {
  startWorkerOn(server)
  // By now, the worker has found nothing to send and pauses.
  await sleep(500)
  const { send, listSentTexts } = await createDojo(1)
  await send()
  await expect.poll(listSentTexts, { timeout: 1000, interval: 5 }).toHaveLength(1)
})

test('sends texts whose job was lost', async () => {
  const { send, listSentTexts } = await createDojo(3)
  await send()
  await server.db.withoutDojo((tx) => dequeueShares(tx, 500))
  startWorkerOn(server)
  await expect.poll(listSentTexts, { timeout: 8000 }).toHaveLength(3)
})

test('sends each text once, even if two servers are woken very often', async () => {
  const { dojoId, send, listSentTexts } = await createDojo(400)
  for (const instance of [server, otherServer]) startWorkerOn(instance, 400)
  await send()
  const findUnsentTexts = () =>
    server.db.inDojo(dojoId, (tx) =>
      tx.execute(sql`select 1 from messages where state <> 'accepted'`),
    )
  while ((await findUnsentTexts()).rows.length > 0)
    await otherServer.db.withoutDojo((tx) => requeueAndWake(tx, [dojoId]))
  expect([
    listSentTexts().length,
    new Set(listSentTexts().map(({ messageId }) => messageId)).size,
  ]).toEqual([400, 400])
})

test(
  'sends a dojo’s twenty texts without waiting for another dojo’s ten thousand',
  { timeout: 180_000 },
  async () => {
    const largeDojo = await createDojo(10_000)
    const smallDojo = await createDojo(20)
    await largeDojo.send()
    startWorkerOn(server, 500)
    await expect.poll(() => sentTexts.length, { timeout: 80_000 }).toBeGreaterThan(200)
    await smallDojo.send()
    const sentCountBefore = sentTexts.length
    await expect.poll(smallDojo.listSentTexts, { timeout: 80_000, interval: 5 }).toHaveLength(20)
    expect(sentTexts.indexOf(smallDojo.listSentTexts().at(-1)!) - sentCountBefore).toBeLessThan(300)
  },
)
