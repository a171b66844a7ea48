import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testHouse } from '../test/house.ts'
import { newId } from './columns.ts'
import { putJobFor, putJobs, takeJobs, workEveryMinute } from './queue.ts'

const house = await testHouse()
const other = await house.openServer()
const fail = (error: unknown) => { throw error }
const ask = async <T extends object>(query: string) => (await house.db.withoutDojo((tx) => tx.execute(sql.raw(query)))).rows as T[]
const put = (...ids: string[]) => house.db.withoutDojo((tx) => putJobs(tx, 'turns', ids))
const take = (most: number) => house.db.withoutDojo((tx) => takeJobs(tx, 'turns', most))

test('the tables belong to the owner, who is bound; the serving role works with them and cannot make or change any', async () => {
  const owners = await ask(`select distinct rolname from pg_class c join pg_roles r on r.oid = relowner
    where relnamespace = 'pgboss'::regnamespace`)
  expect(owners).toEqual([{ rolname: 'tatami_owner' }])
  for (const change of ['create table pgboss.ours (id int)', 'drop table pgboss.schedule', 'alter table pgboss.queue add ours int']) {
    await expect(ask(change)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/permission denied|must be owner/) } })
  }
})

test('jobs are taken in the order they came, once each, by whichever server', async () => {
  const ids = Array.from({ length: 6 }, newId)
  for (const id of ids) await put(id)
  expect([await take(1), await take(1)]).toEqual([[ids[0]], [ids[1]]])
  const rest = await Promise.all([house, other, house, other].map(({ db }) => db.withoutDojo((tx) => takeJobs(tx, 'turns', 1))))
  expect(rest.flat().toSorted()).toEqual(ids.slice(2).toSorted())
  expect(await take(9)).toEqual([])
})

test('one job waits for each id, and it carries nothing else', async () => {
  const id = newId()
  expect([await put(id), await put(id, newId())]).toEqual([1, 1])
  expect(await ask(`select data, output from pgboss.job where singleton_key = '${id}'`)).toEqual([{ data: { id }, output: null }])
  expect(await take(9)).toHaveLength(2)
})

test('what a transaction that failed has taken or put is as if it had not', async () => {
  const id = newId()
  await put(id)
  await expect(house.db.withoutDojo(async (tx) => {
    expect(await takeJobs(tx, 'turns', 9)).toEqual([id])
    await putJobs(tx, 'turns', [newId()])
    throw new Error('died')
  })).rejects.toThrow('died')
  expect(await take(9)).toEqual([id])
})

test('a job that waits is not taken before the transaction that wants it, too, has ended', async () => {
  const id = newId()
  await put(id)
  await house.db.withoutDojo(async (tx) => {
    await putJobFor(tx, 'turns', id)
    expect(await other.db.withoutDojo((there) => takeJobs(there, 'turns', 9))).toEqual([])
  })
  expect(await take(9)).toEqual([id])
})

test('every minute one of the servers does the work, and soon after each has started', { timeout: 120_000 }, async () => {
  // The two look at the clock in the same minute.
  const left = 60_000 - Date.now() % 60_000
  if (left < 10_000) await sleep(left)
  const runs: string[] = []
  const start = (name: string, db: typeof house.db) => workEveryMinute(db, 'timetable', async () => void runs.push(name), fail)
  const stops = [await start('here', house.db)]
  await expect.poll(() => runs, { timeout: 3000 }).toEqual(['here'])
  // As if nobody had looked yet: the other server finds this minute due as well.
  await ask('update pgboss.version set cron_on = null')
  stops.push(await start('there', other.db))
  await expect.poll(() => runs.length, { timeout: 3000 }).toBe(2)
  await expect.poll(() => runs.length, { timeout: 15_000 }).toBe(3)
  await sleep(6000)
  expect(runs).toHaveLength(3)
  const stopped = Date.now()
  await Promise.all(stops.map((stop) => stop()))
  expect(Date.now() - stopped).toBeLessThan(3000)
})
