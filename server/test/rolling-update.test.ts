import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { newId } from '../db/columns.ts'
import { countMigrations, prepareDatabase } from '../db/migrate.ts'
import { runDueJobs } from '../schedule.ts'
import { exampleClass, exampleStudent } from './fixtures.ts'
import { copyMigrations } from './releases.ts'
import { startTestServer } from './test-server.ts'

/** The migration of an imaginary newer release. It may only add to the tables, because older
 *  servers are still running. */
const ADDITIONS = `
alter table students add column of_later text not null default 'new';
alter table attendance add column of_later timestamptz;
alter table dojos add column of_later int not null default 0;
create index students_of_later on students (dojo_id, of_later);
create table of_later (dojo_id uuid not null default current_setting('app.dojo_id')::uuid, id uuid
  not null, primary key (dojo_id, id));
alter table of_later enable row level security;`

const server = await startTestServer()
const databaseUrl = Object.assign(new URL(inject('cluster').adminUrl), {
  pathname: new URL(server.databaseUrl).pathname,
}).href
const newerMigrations = copyMigrations(countMigrations(), [ADDITIONS])
afterAll(() => rmSync(newerMigrations, { recursive: true }))

test('a server keeps running during an update, but its version cannot start again', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const { id: student_id } = await server.createStudent(sensei)
  const day = { class_id, student_id, class_date: '2026-01-05' }
  // Before the update, each connection prepares the statements of these calls.
  const makeAllCalls = async (class_date: string) => {
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
  const statusesBefore = await makeAllCalls('2026-01-05')
  const updateEnd = new AbortController()
  const statusesDuringUpdate: number[][] = []
  const repeatedCalls = (async () => {
    for (let number = 0; !updateEnd.signal.aborted; number += 1)
      statusesDuringUpdate.push(
        await makeAllCalls(`2026-02-${String((number % 28) + 1).padStart(2, '0')}`),
      )
  })()
  try {
    await prepareDatabase({ databaseUrl }, DATABASE_RULES, { migrationsFolder: newerMigrations })
  } finally {
    updateEnd.abort()
    await repeatedCalls
  }
  expect(statusesBefore.filter((status) => status >= 400)).toEqual([])
  for (const statuses of [...statusesDuringUpdate, await makeAllCalls('2026-01-06')])
    expect(statuses).toEqual(statusesBefore)
  await expect(prepareDatabase({ databaseUrl }, DATABASE_RULES)).rejects.toThrow(
    `a newer version of Tatami has updated it (it has ${countMigrations() + 1} migrations, ` +
      `and this version knows ${countMigrations()}).`,
  )
})

test('lists show texts of a kind that only a newer version knows', async () => {
  const sensei = await server.createSensei()
  const { id: student_id } = await server.createStudent(sensei)
  const message = {
    message_type: 'weather_cancel',
    custom_message: 'Rain.',
    selected_students: [student_id],
  }
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', message)).body
  const newerClient = new pg.Client({ connectionString: databaseUrl })
  await newerClient.connect()
  onTestFinished(() => newerClient.end())
  await newerClient.query("select set_config('app.dojo_id', $1, false)", [sensei.dojoId])
  await newerClient.query("update message_batches set kind = 'of_later', has_failures = true")
  await newerClient.query("update messages set state = 'undelivered'")
  for (const path of ['/sms/batches', `/sms/batches/${batch_id}`, `/students/${student_id}`]) {
    const { status, body } = await sensei.get(path)
    expect([path, status]).toEqual([path, 200])
    expect([path, JSON.stringify(body)]).toEqual([path, expect.stringContaining('Rain.')])
  }
  await runDueJobs(server.db, (error) => {
    throw error
  })
  const failures = ((await sensei.get('/notifications')).body as { message: string }[]).filter(
    ({ message: failureText }) => /not arrive/.test(failureText),
  )
  expect(failures.map(({ message: failureText }) => failureText)).toEqual([
    'Message: 1 text did not arrive. See why in the message history.',
  ])
})

test('retries an update that deadlocks with a running server', async () => {
  const deadlockingMigrations = copyMigrations(countMigrations(), [
    ADDITIONS,
    'alter table students add more int; alter table attendance add more int;',
  ])
  const runningClient = new pg.Client({ connectionString: databaseUrl })
  await runningClient.connect()
  onTestFinished(() => runningClient.end())
  // A running server has this role. The test's own role has more policies and takes more locks.
  await runningClient.query(`begin; set local role tatami_app; set app.dojo_id = '${newId()}'`)
  await runningClient.query('select from attendance limit 1')
  const update = prepareDatabase({ databaseUrl }, DATABASE_RULES, {
    migrationsFolder: deadlockingMigrations,
  })
  const waitingQuery =
    "select from pg_locks join pg_class on oid = relation where relname = 'attendance' " +
    'and not granted'
  // PostgreSQL ends the deadlock by canceling the update, because it was the first to wait.
  const countWaiting = async () => (await runningClient.query(waitingQuery)).rowCount
  await expect.poll(countWaiting, { timeout: 10_000 }).toBe(1)
  await runningClient.query('select from students limit 1')
  await runningClient.query('commit')
  await update
  const { rowCount } = await runningClient.query(
    "select from information_schema.columns where column_name = 'more'",
  )
  rmSync(deadlockingMigrations, { recursive: true })
  expect(rowCount).toBe(2)
})
