import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { newId } from './columns.ts'
import { enqueueWithTransaction, enqueue, dequeue, runEveryMinute } from './queue.ts'

const isLong = Boolean(process.env.LONG)

const server = await startTestServer()
const otherServer = await server.openServer()
const throwError = (error: unknown) => {
  throw error
}
async function query(statement: string) {
  const { rows } = await server.db.withoutDojo((tx) => tx.execute(sql.raw(statement)))
  return rows
}
const enqueueIds = (...ids: string[]) =>
  server.db.withoutDojo((tx) => enqueue(tx, 'texts-to-send', ids))
const dequeueIds = (limit: number) =>
  server.db.withoutDojo((tx) => dequeue(tx, 'texts-to-send', limit))

test('the serving role can neither create nor change the tables of the queue', async () => {
  const owners =
    await query(`select distinct rolname from pg_class c join pg_roles r on r.oid = relowner
    where relnamespace = 'pgboss'::regnamespace`)
  expect(owners).toEqual([{ rolname: 'tatami_owner' }])
  for (const change of [
    'create table pgboss.ours (id int)',
    'drop table pgboss.schedule',
    'alter table pgboss.queue add ours int',
  ]) {
    await expect(query(change)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/permission denied|must be owner/) },
    })
  }
})

test('each job is dequeued once, by one of the servers, and in order', async () => {
  const ids = Array.from({ length: 6 }, newId)
  for (const id of ids) await enqueueIds(id)
  expect([await dequeueIds(1), await dequeueIds(1)]).toEqual([[ids[0]], [ids[1]]])
  const dequeuedIds = await Promise.all(
    [server, otherServer, server, otherServer].map(({ db }) =>
      db.withoutDojo((tx) => dequeue(tx, 'texts-to-send', 1)),
    ),
  )
  expect(dequeuedIds.flat().toSorted()).toEqual(ids.slice(2).toSorted())
  expect(await dequeueIds(9)).toEqual([])
})

test('at most one job waits for each id, and contains only the id', async () => {
  const id = newId()
  expect([await enqueueIds(id), await enqueueIds(id, newId())]).toEqual([1, 1])
  expect(await query(`select data, output from pgboss.job where singleton_key = '${id}'`)).toEqual([
    { data: { id }, output: null },
  ])
  expect(await dequeueIds(9)).toHaveLength(2)
})

test('a rollback undoes what its transaction dequeued and enqueued', async () => {
  const id = newId()
  await enqueueIds(id)
  await expect(
    server.db.withoutDojo(async (tx) => {
      expect(await dequeue(tx, 'texts-to-send', 9)).toEqual([id])
      await enqueue(tx, 'texts-to-send', [newId()])
      throw new Error('fails on purpose')
    }),
  ).rejects.toThrow('fails on purpose')
  expect(await dequeueIds(9)).toEqual([id])
})

test('a waiting job is locked until a transaction that needs it has ended', async () => {
  const id = newId()
  await enqueueIds(id)
  await server.db.withoutDojo(async (tx) => {
    await enqueueWithTransaction(tx, 'texts-to-send', id)
    expect(
      await otherServer.db.withoutDojo((otherTx) => dequeue(otherTx, 'texts-to-send', 9)),
    ).toEqual([])
  })
  expect(await dequeueIds(9)).toEqual([id])
})

const MINUTE_MS = 60_000
/** A server looks for jobs every five seconds. */
const TWO_POLLS_MS = 10_000

/** Starts the schedule on both servers. Each start adds a job. */
async function startBothServers() {
  const runs: { runner: string; at: number }[] = []
  const start = (runner: string, db: typeof server.db) =>
    runEveryMinute(
      db,
      'schedule',
      async () => void runs.push({ runner, at: Date.now() }),
      throwError,
    )
  const stops = [await start('first', server.db)]
  await expect.poll(() => runs, { timeout: 2 * TWO_POLLS_MS }).toMatchObject([{ runner: 'first' }])
  stops.push(await start('second', otherServer.db))
  await expect.poll(() => runs.length, { timeout: 2 * TWO_POLLS_MS }).toBeGreaterThanOrEqual(2)
  return { runs, stop: () => Promise.all(stops.map((stop) => stop())) }
}

test(
  'does the work soon after each start, and a later job on one of the servers',
  { timeout: MINUTE_MS },
  async () => {
    expect(await query("select name, cron from pgboss.schedule where name = 'schedule'")).toEqual([
      { name: 'schedule', cron: '* * * * *' },
    ])
    const { runs, stop } = await startBothServers()
    const initialRunCount = runs.length
    await server.db.withoutDojo((tx) => enqueue(tx, 'schedule', ['']))
    await expect
      .poll(() => runs.length - initialRunCount, { timeout: 2 * TWO_POLLS_MS })
      .toBeGreaterThanOrEqual(1)
    await sleep(TWO_POLLS_MS / 2)
    const countFinishedJobs = async () => {
      const jobs = await query(
        "select from pgboss.job where name = 'schedule' and state = 'completed'",
      )
      return jobs.length
    }
    // If a new minute has begun in the meantime, there is another job.
    await expect
      .poll(async () => runs.length - (await countFinishedJobs()), { timeout: TWO_POLLS_MS })
      .toBe(0)
    const stoppedAt = Date.now()
    await stop()
    expect(Date.now() - stoppedAt).toBeLessThan(5000)
  },
)

test.runIf(isLong)(
  'does the work every minute on one of the servers',
  { timeout: 6 * MINUTE_MS },
  async () => {
    const { runs, stop } = await startBothServers()
    const firstMinute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
    const minuteCount = 3
    await sleep(firstMinute + minuteCount * MINUTE_MS - Date.now())
    await stop()
    const countRunsInMinute = (minute: number) =>
      runs.filter(({ at }) => Math.floor((at - firstMinute) / MINUTE_MS) === minute).length
    expect(Array.from({ length: minuteCount }, (_, minute) => countRunsInMinute(minute))).toEqual([
      1, 1, 1,
    ])
  },
)
