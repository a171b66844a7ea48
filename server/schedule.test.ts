import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts, sessions, signInAddresses } from './accounts/tables.ts'
import { dojos, jobRuns } from './dojos/tables.ts'
import type { Database } from './db/database.ts'
import { newId } from './db/columns.ts'
import { idempotencyKeys } from './http/tables.ts'
import { messageBatches, messages, providerMessages } from './texting/tables.ts'
import { setClock } from './test/clock.ts'
import {
  backdateReminderNotice,
  createStudents,
  dojoIdOf,
  exampleStudent,
} from './test/fixtures.ts'
import { startTestServer } from './test/test-server.ts'
import { runDueJobs } from './schedule.ts'

const server = await startTestServer()
const otherServer = await server.openServer()
const throwError = (error: unknown) => {
  throw error
}
const readNotices = async (email: string) =>
  (
    (await (await server.signIn(email)).get('/notifications')).body as {
      title: string
      message: string
    }[]
  ).map(({ title, message }) => `${title}: ${message}`)

test('notifies of birthdays once, from 7 am in the time zone of the dojo', async () => {
  setClock('2027-02-28T11:00:00Z') // 5 am in Chicago
  const sensei = await server.createSensei()
  for (const [name, date_of_birth] of [
    ['Leap Year', '2016-02-29'],
    ['Last Day', '2015-02-28'],
    ['Somebody Else', '2015-03-01'],
  ]) {
    await sensei.post(
      '/students',
      exampleStudent({ name, date_of_birth, class_preferences: ['saturday'] }),
    )
  }
  await runDueJobs(server.db, throwError)
  expect(await readNotices(sensei.email)).toEqual([])
  setClock('2027-02-28T13:00:00Z')
  await Promise.all([
    runDueJobs(server.db, throwError),
    runDueJobs(otherServer.db, throwError),
    runDueJobs(server.db, throwError),
  ])
  expect(await readNotices(sensei.email)).toEqual([
    'A birthday today: Leap Year',
    'A birthday today: Last Day',
  ])
  setClock('2027-02-28T23:00:00Z')
  await runDueJobs(otherServer.db, throwError)
  expect(await readNotices(sensei.email)).toHaveLength(2)
})

test('sends missed birthday notices later the same day, but not the next day', async () => {
  setClock('2027-05-05T13:00:00Z')
  const sensei = await server.createSensei()
  await sensei.post(
    '/students',
    exampleStudent({ date_of_birth: '2015-05-06', class_preferences: ['saturday'] }),
  )
  await sensei.post(
    '/students',
    exampleStudent({
      name: 'Late Bird',
      date_of_birth: '2015-05-07',
      class_preferences: ['saturday'],
    }),
  )
  setClock('2027-05-07T23:30:00Z')
  await runDueJobs(server.db, throwError)
  expect(await readNotices(sensei.email)).toEqual(['A birthday today: Late Bird'])
})

test('deletes expired data at night, both of dojos and outside of dojos', async () => {
  setClock('2027-09-01T12:00:00Z')
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const readIdempotencyKeys = () =>
    server.db.inDojo(dojoId, async (tx) =>
      (await tx.select().from(idempotencyKeys)).map(({ key }) => key),
    )
  const readProviderMessages = () =>
    server.db.withoutDojo(async (tx) =>
      (await tx.select().from(providerMessages)).map(({ id }) => id),
    )
  const insertExpiringRows = async (name: string, created_at: string) => {
    await server.db.inDojo(dojoId, (tx) =>
      tx.insert(idempotencyKeys).values({ key: name, request_hash: name, created_at }),
    )
    await server.db.withoutDojo((tx) =>
      tx.insert(providerMessages).values({ id: name, created_at }),
    )
  }
  await insertExpiringRows('two months old', '2027-07-01T00:00:00Z')
  await insertExpiringRows('a week old', '2027-08-24T00:00:00Z')
  await insertExpiringRows('of today', '2027-09-01T00:00:00Z')
  await runDueJobs(server.db, throwError)
  expect([await readIdempotencyKeys(), await readProviderMessages()]).toEqual([
    ['of today'],
    ['a week old', 'of today'],
  ])

  const usedSession = await server.signIn(sensei.email)
  setClock('2027-09-29T12:00:00Z')
  expect((await usedSession.get('/profile')).status).toBe(200)
  // The use is recorded in the background, and must be before the clock moves on.
  await server.http.backgroundTasksDone()
  setClock('2027-10-02T12:00:00Z')
  await runDueJobs(server.db, throwError)
  expect(
    await server.db.withoutDojo((tx) =>
      tx.select().from(sessions).where(eq(sessions.account_id, sensei.id)),
    ),
  ).toHaveLength(1)
  expect((await usedSession.get('/profile')).status).toBe(200)

  await insertExpiringRows('in winter', '2028-02-01T00:00:00Z')
  setClock('2028-03-01T12:00:00Z')
  await runDueJobs(server.db, throwError)
  const addresses = await server.db.withoutDojo((tx) =>
    tx.select().from(signInAddresses).where(eq(signInAddresses.account_id, sensei.id)),
  )
  expect(addresses).toEqual([])

  const readRunDays = () =>
    server.db.inDojo(dojoId, async (tx) => (await tx.select().from(jobRuns)).map(({ day }) => day))
  expect(await readRunDays()).toContain('2027-09-01')
  setClock('2028-12-10T12:00:00Z')
  await runDueJobs(server.db, throwError)
  expect(new Set(await readRunDays())).toEqual(new Set(['2028-03-01', '2028-12-10']))
})

test('sends nothing in an inactive dojo, but deletes its expired data', async () => {
  setClock('2029-10-31T16:00:00Z')
  const superAdmin = await server.signInSuperAdmin(),
    sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await backdateReminderNotice(server.db, dojoId)
  await createStudents(server.db, dojoId, 2)
  await sensei.post(
    '/students',
    exampleStudent({ date_of_birth: '2015-11-01', class_preferences: ['saturday'] }),
  )
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
  await runDueJobs(server.db, throwError)
  const toggle = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  await toggle()
  await server.db.inDojo(dojoId, (tx) =>
    tx
      .insert(idempotencyKeys)
      .values({ key: 'old', request_hash: 'old', created_at: '2029-10-01T00:00:00Z' }),
  )
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 300 })
  setClock('2029-11-01T16:00:00Z')
  await runDueJobs(server.db, throwError)
  expect(await server.db.inDojo(dojoId, (tx) => tx.select().from(idempotencyKeys))).toEqual([])
  await toggle()
  const readNoticesAndBatches = async () => {
    const newSession = await server.signIn(sensei.email)
    const batches = (await newSession.get('/sms/batches')).body as {
      message_type: string
      counts: { waiting: number }
    }[]
    return [
      (await readNotices(sensei.email)).slice(0, -1),
      batches.map(({ message_type, counts }) => [message_type, counts.waiting]),
    ]
  }
  expect(await readNoticesAndBatches()).toEqual([[], [['pre_due', 2]]])
  await runDueJobs(server.db, throwError)
  expect(await readNoticesAndBatches()).toEqual([
    ['A birthday today: Ken Adams'],
    [
      ['on_due', 0],
      ['pre_due', 0],
    ],
  ])
})

const setTimeZone = (dojoId: string, time_zone: string) =>
  server.db.withoutDojo((tx) => tx.update(dojos).set({ time_zone }).where(eq(dojos.id, dojoId)))

/** A database that reports each transaction: its dojo, or '' for one without a dojo. */
const observeTransactions = (db: Database, onTransaction: (dojoId: string) => void): Database => ({
  ...db,
  inDojo: async (dojoId, work) => {
    onTransaction(dojoId)
    return db.inDojo(dojoId, work)
  },
  withoutDojo: async (work) => {
    onTransaction('')
    return db.withoutDojo(work)
  },
})

test.each([
  ['America/Chicago', '-05:00'],
  ['Asia/Kolkata', '+05:30'],
  ['Australia/Adelaide', '+09:30'],
  ['Pacific/Kiritimati', '+14:00'],
])('runs each kind of job at its hour in %s', async (zone, offset) => {
  const night = `2031-05-01T02:30:00${offset}`
  setClock(new Date(night).toISOString())
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await setTimeZone(dojoId, zone)
  await backdateReminderNotice(server.db, dojoId)
  const { id } = await server.createStudent(sensei, {
    name: 'May Day',
    date_of_birth: '2015-05-01',
  })
  const yesterday = new Date(Date.parse(night) - DAY_MS).toISOString()
  const text = { student_id: id, phone: '+15125550142', text: 'Hi', updated_at: yesterday }
  const insertText = (
    kind: 'welcome' | 'pre_due' | 'weather_cancel',
    state: 'waiting' | 'failed',
  ) =>
    server.db.inDojo(dojoId, async (tx) => {
      const batch_id = newId()
      await tx.insert(messageBatches).values({
        id: batch_id,
        kind,
        text: 'Hi',
        created_at: yesterday,
        has_failures: state === 'failed',
      })
      await tx.insert(messages).values({ ...text, batch_id, state })
    })
  await insertText('welcome', 'waiting')
  await insertText('pre_due', 'waiting')
  await insertText('weather_cancel', 'failed')
  await server.db.inDojo(dojoId, (tx) =>
    tx
      .insert(idempotencyKeys)
      .values({ key: 'old', request_hash: 'old', created_at: '2031-04-01T00:00:00Z' }),
  )

  const readInbox = async () => {
    const inbox = await server.signIn(sensei.email)
    const texts = await server.db.inDojo(dojoId, (tx) =>
      tx
        .select({ kind: messageBatches.kind, state: messages.state })
        .from(messages)
        .innerJoin(messageBatches, eq(messageBatches.id, messages.batch_id)),
    )
    return {
      notices: ((await inbox.get('/notifications')).body as { title: string }[])
        .map(({ title }) => title)
        .toSorted(),
      texts: texts.map(({ kind, state }) => `${kind} ${state}`).toSorted(),
      keptKeys: await server.db.inDojo(dojoId, (tx) =>
        tx.select({ key: idempotencyKeys.key }).from(idempotencyKeys),
      ),
    }
  }
  await runDueJobs(server.db, throwError)
  expect(await readInbox()).toEqual({
    notices: ['Some texts did not arrive'],
    texts: ['pre_due waiting', 'weather_cancel failed', 'welcome queued'],
    keptKeys: [{ key: 'old' }],
  })
  setClock(new Date(`2031-05-01T10:00:00${offset}`).toISOString())
  await runDueJobs(server.db, throwError)
  expect(await readInbox()).toEqual({
    notices: ['A birthday today', 'Some texts did not arrive'],
    texts: ['on_due queued', 'pre_due queued', 'weather_cancel failed', 'welcome queued'],
    keptKeys: [],
  })
})

test('opens no transaction in dojos that have no due jobs', async () => {
  setClock('2032-06-15T20:00:00Z')
  const idleDojoIds: string[] = []
  await server.db.withoutDojo(async (tx) => {
    for (let number = 0; number < 30; number += 1) {
      const id = newId(),
        email = `${id}@dojo.com`
      idleDojoIds.push(id)
      await tx.insert(dojos).values({
        id,
        name: 'Idle',
        invite_code: id,
        time_zone: number % 2 ? 'Asia/Kolkata' : 'America/Denver',
      })
      await tx.insert(accounts).values({
        id: newId(),
        email,
        password_hash: 'none',
        role: 'instructor',
        dojo_id: id,
        is_active: true,
      })
    }
  })
  const openedDojoIds: string[] = []
  const observedDb = observeTransactions(server.db, (dojoId) => void openedDojoIds.push(dojoId))
  await runDueJobs(observedDb, throwError)
  expect(idleDojoIds.filter((id) => openedDojoIds.includes(id))).toEqual([])
  openedDojoIds.length = 0
  await runDueJobs(observedDb, throwError)
  expect(openedDojoIds).toEqual([''])
})

test('retries the jobs of a failing dojo a minute later, and runs those of others', async () => {
  setClock('2033-03-03T20:00:00Z')
  const [failingSensei, healthySensei] = [await server.createSensei(), await server.createSensei()]
  const failingDojoId = await dojoIdOf(server.db, failingSensei.id)
  for (const sensei of [failingSensei, healthySensei])
    await sensei.post(
      '/students',
      exampleStudent({
        name: 'Third March',
        date_of_birth: '2015-03-03',
        class_preferences: ['saturday'],
      }),
    )
  const errors: unknown[] = []
  const failingDb = observeTransactions(server.db, (dojoId) => {
    if (dojoId === failingDojoId) throw new Error('out of order')
  })
  const countNotices = async () => [
    (await readNotices(failingSensei.email)).length,
    (await readNotices(healthySensei.email)).length,
  ]
  await runDueJobs(failingDb, (error) => void errors.push(error))
  expect([errors.map(String), await countNotices()]).toEqual([['Error: out of order'], [0, 1]])
  await runDueJobs(server.db, throwError)
  expect(await countNotices()).toEqual([1, 1])
})

test('skips a dojo with an invalid time zone, and runs the jobs of other dojos', async () => {
  setClock('2033-04-04T20:00:00Z')
  const [senseiOnMars, healthySensei] = [await server.createSensei(), await server.createSensei()]
  await healthySensei.post(
    '/students',
    exampleStudent({ date_of_birth: '2015-04-04', class_preferences: ['saturday'] }),
  )
  await setTimeZone(await dojoIdOf(server.db, senseiOnMars.id), 'Mars/Olympus_Mons')
  const errors: unknown[] = []
  await runDueJobs(server.db, (error) => void errors.push(error))
  expect([errors.map(String), await readNotices(healthySensei.email)]).toEqual([
    [expect.stringContaining('Mars/Olympus_Mons')],
    ['A birthday today: Ken Adams'],
  ])
  await setTimeZone(await dojoIdOf(server.db, senseiOnMars.id), 'America/Chicago')
})
