import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { createStudents, dojoIdOf } from '../../test/fixtures.ts'
import { claimTexts } from './claim.ts'
import { keepSending } from './worker.ts'
import { NO_PROVIDER, type Outgoing } from '../providers/provider.ts'
import { lineUpAgain, takeTurns } from './queue.ts'

const server = await startTestServer()
const other = await server.openServer()
const fail = (error: unknown) => {
  throw error
}
const FAST = 100_000

let left: Outgoing[] = []
const provider = {
  ...NO_PROVIDER,
  calls: true,
  send: async (text: Outgoing) => {
    left.push(text)
    return { id: `SM${text.messageId}`, fate: 'accepted' as const, errorCode: null }
  },
}
const stops: (() => Promise<void>)[] = []
const startServer = ({ db, pubsub }: Pick<typeof server, 'db' | 'pubsub'>, perSecond = FAST) =>
  void stops.push(keepSending({ db, pubsub, provider, perSecond, onError: fail }))
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  left = []
})

await (await server.signInSuperAdmin()).put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
/** A dojo of so many students, and a text to each of them queued. */
async function dojoWith(texts: number) {
  const sensei = await server.createSensei(),
    dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, texts)
  const send = () => sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' })
  return { dojoId, send, gone: () => left.filter((text) => text.dojoId === dojoId) }
}
const jobs = async () => (await server.db.withoutDojo((tx) => tx.execute(sql`select data from pgboss.job where name = 'turns'`))).rows

test('dojos take turns, one text each, where there is room for one at a time', async () => {
  const [many, few] = [await dojoWith(5), await dojoWith(2)]
  for (const { send } of [many, few]) await send()
  const order: string[] = []
  for (let round = 0; round < 9; round += 1) {
    const { claimed } = await server.db.withoutDojo((tx) => claimTexts(tx, FAST, 1))
    order.push(...claimed.map(({ dojo_id }) => (dojo_id === many.dojoId ? 'many' : 'few')))
  }
  expect(order).toEqual(['many', 'few', 'many', 'few', 'many', 'many', 'many'])
  expect(await jobs()).toEqual([])
})

test('a dojo’s turn is there with its texts, names the dojo and nothing else, and waits once', async () => {
  const { dojoId, send } = await dojoWith(2)
  await send()
  await send()
  expect(await jobs()).toEqual([{ data: { id: dojoId } }])
  startServer(server)
  await expect.poll(() => left.length).toBe(4)
  await expect.poll(jobs).toEqual([])
})

test('a text sent by hand leaves at once', async () => {
  startServer(server)
  await sleep(500)
  const { send, gone } = await dojoWith(1)
  await send()
  await expect.poll(gone, { timeout: 1000, interval: 5 }).toHaveLength(1)
})

test('texts whose turn was lost are sent all the same', async () => {
  const { send, gone } = await dojoWith(3)
  await send()
  await server.db.withoutDojo((tx) => takeTurns(tx, 500))
  startServer(server)
  await expect.poll(gone, { timeout: 8000 }).toHaveLength(3)
})

test('turns that come far too often, on two servers, send each text once', async () => {
  const { dojoId, send, gone } = await dojoWith(400)
  for (const each of [server, other]) startServer(each, 400)
  await send()
  const unsent = () => server.db.inDojo(dojoId, (tx) => tx.execute(sql`select 1 from messages where state <> 'accepted'`))
  while ((await unsent()).rows.length > 0) await other.db.withoutDojo((tx) => lineUpAgain(tx, [dojoId]))
  expect([gone().length, new Set(gone().map(({ messageId }) => messageId)).size]).toEqual([400, 400])
})

test('ten thousand texts of one dojo do not keep another’s twenty waiting', { timeout: 60_000 }, async () => {
  const [big, small] = [await dojoWith(10_000), await dojoWith(20)]
  await big.send()
  startServer(server, 500)
  await expect.poll(() => left.length, { timeout: 20_000 }).toBeGreaterThan(200)
  await small.send()
  const before = left.length
  await expect.poll(small.gone, { timeout: 20_000, interval: 5 }).toHaveLength(20)
  expect(left.indexOf(small.gone().at(-1)!) - before).toBeLessThan(300)
})
