import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { newId } from './columns.ts'
import { enqueueWithTransaction, enqueue, dequeue, runEveryMinute } from './queue.ts'

const isLong = Boolean(process.env.LONG)

const server = await startTestServer()
const otherServer = await server.openServer()
const fail = (error: unknown) => {
  throw error
}
const ask = async <T extends object>(query: string) =>
  (await server.db.withoutDojo((tx) => tx.execute(sql.raw(query)))).rows as T[]
const put = (...ids: string[]) => server.db.withoutDojo((tx) => enqueue(tx, 'texts-to-send', ids))
const take = (limit: number) => server.db.withoutDojo((tx) => dequeue(tx, 'texts-to-send', limit))

test('the tables belong to the owner, who is bound; the serving role works with them and cannot make or change any', async () => {
  const owners =
    await ask(`select distinct rolname from pg_class c join pg_roles r on r.oid = relowner
    where relnamespace = 'pgboss'::regnamespace`)
  expect(owners).toEqual([{ rolname: 'tatami_owner' }])
  for (const change of [
    'create table pgboss.ours (id int)',
    'drop table pgboss.schedule',
    'alter table pgboss.queue add ours int',
  ]) {
    await expect(ask(change)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/permission denied|must be owner/) },
    })
  }
})

test('jobs are taken in the order they came, once each, by whichever server', async () => {
  const ids = Array.from({ length: 6 }, newId)
  for (const id of ids) await put(id)
  expect([await take(1), await take(1)]).toEqual([[ids[0]], [ids[1]]])
  const takenIds = await Promise.all(
    [server, otherServer, server, otherServer].map(({ db }) =>
      db.withoutDojo((tx) => dequeue(tx, 'texts-to-send', 1)),
    ),
  )
  expect(takenIds.flat().toSorted()).toEqual(ids.slice(2).toSorted())
  expect(await take(9)).toEqual([])
})

test('one job waits for each id, and it carries nothing else', async () => {
  const id = newId()
  expect([await put(id), await put(id, newId())]).toEqual([1, 1])
  expect(await ask(`select data, output from pgboss.job where singleton_key = '${id}'`)).toEqual([
    { data: { id }, output: null },
  ])
  expect(await take(9)).toHaveLength(2)
})

test('what a transaction that failed has taken or put is as if it had not', async () => {
  const id = newId()
  await put(id)
  await expect(
    server.db.withoutDojo(async (tx) => {
      expect(await dequeue(tx, 'texts-to-send', 9)).toEqual([id])
      await enqueue(tx, 'texts-to-send', [newId()])
      throw new Error('died')
    }),
  ).rejects.toThrow('died')
  expect(await take(9)).toEqual([id])
})

test('a job that waits is not taken before the transaction that wants it, too, has ended', async () => {
  const id = newId()
  await put(id)
  await server.db.withoutDojo(async (tx) => {
    await enqueueWithTransaction(tx, 'texts-to-send', id)
    expect(
      await otherServer.db.withoutDojo((otherTx) => dequeue(otherTx, 'texts-to-send', 9)),
    ).toEqual([])
  })
  expect(await take(9)).toEqual([id])
})

const MINUTE_MS = 60_000
/** A server looks for jobs every five seconds. */
const TWO_POLLS_MS = 10_000

/** Each server does the work once soon after its start. */
async function startBoth() {
  const runs: { by: string; at: number }[] = []
  const start = (runner: string, db: typeof server.db) =>
    runEveryMinute(db, 'schedule', async () => void runs.push({ by: runner, at: Date.now() }), fail)
  const stops = [await start('here', server.db)]
  await expect.poll(() => runs, { timeout: 2 * TWO_POLLS_MS }).toMatchObject([{ by: 'here' }])
  stops.push(await start('there', otherServer.db))
  await expect.poll(() => runs.length, { timeout: 2 * TWO_POLLS_MS }).toBeGreaterThanOrEqual(2)
  return { runs, stop: () => Promise.all(stops.map((stop) => stop())) }
}

test(
  'soon after each server has started the work is done, and a later job by one of them',
  { timeout: MINUTE_MS },
  async () => {
    expect(await ask("select name, cron from pgboss.schedule where name = 'schedule'")).toEqual([
      { name: 'schedule', cron: '* * * * *' },
    ])
    const { runs, stop } = await startBoth()
    const runsBefore = runs.length
    await server.db.withoutDojo((tx) => enqueue(tx, 'schedule', ['']))
    await expect
      .poll(() => runs.length - runsBefore, { timeout: 2 * TWO_POLLS_MS })
      .toBeGreaterThanOrEqual(1)
    await sleep(TWO_POLLS_MS / 2)
    // A minute that begins meanwhile brings another job.
    const jobsDone = async () =>
      (await ask("select from pgboss.job where name = 'schedule' and state = 'completed'")).length
    await expect
      .poll(async () => runs.length - (await jobsDone()), { timeout: TWO_POLLS_MS })
      .toBe(0)
    const stoppedAt = Date.now()
    await stop()
    expect(Date.now() - stoppedAt).toBeLessThan(5000)
  },
)

test.runIf(isLong)(
  'every minute the work is done by one of the servers',
  { timeout: 6 * MINUTE_MS },
  async () => {
    const { runs, stop } = await startBoth()
    const firstMinute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS,
      minutes = 3
    await sleep(firstMinute + minutes * MINUTE_MS - Date.now())
    await stop()
    const inMinute = (minute: number) =>
      runs.filter(({ at }) => Math.floor((at - firstMinute) / MINUTE_MS) === minute).length
    expect(Array.from({ length: minutes }, (_, minute) => inMinute(minute))).toEqual([1, 1, 1])
  },
)
