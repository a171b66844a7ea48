import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { migrationCount, prepareDatabase } from '../db/migrate.ts'
import { exampleClass, exampleStudent } from './fixtures.ts'
import { migrationsFolder } from './releases.ts'
import { startTestServer } from './test-server.ts'

/** What a release may do to the tables while servers of the one before serve: add. */
const ADDITIONS = `
alter table students add column of_later text not null default 'new';
alter table attendance add column of_later timestamptz;
alter table dojos add column of_later int not null default 0;
create index students_of_later on students (dojo_id, of_later);
create table of_later (dojo_id uuid not null default current_setting('app.dojo_id')::uuid, id uuid not null, primary key (dojo_id, id));
alter table of_later enable row level security;`

const server = await startTestServer()
const databaseUrl = Object.assign(new URL(inject('cluster').adminUrl), { pathname: new URL(server.databaseUrl).pathname }).href
const later = migrationsFolder(migrationCount(), [ADDITIONS])
afterAll(() => rmSync(later, { recursive: true }))

test('while a newer version adds to the tables, a server that runs goes on, and one of its version starts no more', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const { id: student_id } = await server.createStudent(sensei)
  const day = { class_id, student_id, class_date: '2026-01-05' }
  /** Reads and writes, by statements that connections remember from before the update, too. */
  const callAll = async (class_date: string) => {
    const calls = [
      await sensei.get('/students'),
      await sensei.get(`/students/${student_id}`),
      await sensei.get('/classes'),
      await sensei.get('/attendance'),
      await sensei.get('/payment-records?year=2026&month=0'),
      await sensei.get('/notifications'),
      await sensei.get('/profile'),
      await sensei.post('/students', exampleStudent({ class_preferences: ['saturday'] })),
      await sensei.post('/classes', exampleClass()),
      await sensei.post('/attendance', { ...day, class_date, present: true }),
    ]
    return calls.map(({ status }) => status)
  }
  const before = await callAll('2026-01-05')
  const updated = new AbortController()
  const during: number[][] = []
  const using = (async () => {
    for (let number = 0; !updated.signal.aborted; number += 1)
      during.push(await callAll(`2026-02-${String((number % 28) + 1).padStart(2, '0')}`))
  })()
  try {
    await prepareDatabase({ databaseUrl }, DATABASE_RULES, { migrationsFolder: later })
  } finally {
    updated.abort()
    await using
  }
  expect(before.filter((status) => status >= 400)).toEqual([])
  for (const statuses of [...during, await callAll('2026-01-06')]) expect(statuses).toEqual(before)

  await expect(prepareDatabase({ databaseUrl }, DATABASE_RULES)).rejects.toThrow(
    `a newer version of Tatami has brought it up to date (${migrationCount() + 1} migrations, this version knows ${migrationCount()}).`,
  )
})

test('an update that meets a deadlock with a server that runs is tried again', async () => {
  const again = migrationsFolder(migrationCount(), [ADDITIONS, 'alter table students add more int; alter table attendance add more int;'])
  const running = new pg.Client({ connectionString: databaseUrl })
  await running.connect()
  onTestFinished(() => running.end())
  await running.query('begin')
  await running.query('select from attendance limit 1')
  const updated = prepareDatabase({ databaseUrl }, DATABASE_RULES, { migrationsFolder: again })
  const waits = "select from pg_locks join pg_class on oid = relation where relname = 'attendance' and not granted"
  // The update waits first, so it is the one that finds the deadlock.
  await expect.poll(async () => (await running.query(waits)).rowCount, { timeout: 10_000 }).toBe(1)
  await running.query('select from students limit 1')
  await running.query('commit')
  await updated
  const { rowCount } = await running.query("select from information_schema.columns where column_name = 'more'")
  rmSync(again, { recursive: true })
  expect(rowCount).toBe(2)
})
