import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { moveClock, now } from '../lib/clock.ts'
import { optOut } from '../texting/opt-outs.ts'
import { students } from '../students/tables.ts'
import {
  backdateReminderNotice,
  createStudents,
  dojoIdOf,
  exampleStudent,
} from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { runDueJobs } from '../schedule.ts'
import { findReminderDueOn } from './reminders.ts'

/** `npm run test:long` covers two years. `npm test` covers seven months. */
const isLong = Boolean(process.env.LONG)
/** The seven months include both clock changes of the year. */
const FIRST_MONTH = isLong ? 0 : 8
const MONTH_COUNT = isLong ? 24 : 7
const HOUR_MS = 3_600_000

const server = await startTestServer()
const otherServer = await server.openServer()
let totalShiftMs = 0
function setClock(iso: string) {
  const shiftMs = Date.parse(iso) - now().getTime()
  totalShiftMs += shiftMs
  moveClock(shiftMs)
}
afterAll(() => moveClock(-totalShiftMs))
const throwError = (error: unknown) => {
  throw error
}
/** Creates an instructor who was notified of the first reminder three days ago. */
async function createSenseiWithReminders() {
  const sensei = await server.createSensei()
  await backdateReminderNotice(server.db, await dojoIdOf(server.db, sensei.id))
  return sensei
}
const runJobs = () =>
  Promise.all([runDueJobs(server.db, throwError), runDueJobs(otherServer.db, throwError)])

type Batch = { id: string; message_type: string; created_at: string; counts: { total: number } }
const listBatches = async (email: string) =>
  ((await (await server.signIn(email)).get('/sms/batches?limit=1000')).body as Batch[]).toReversed()
const setTimeZone = async (dojoId: string, zone: string) =>
  server.db.withoutDojo((tx) =>
    tx.execute(sql`update dojos set time_zone = ${zone} where id = ${dojoId}`),
  )

test('sends a reminder on a month’s last day, its 1st and its 2nd, and on no other day', () => {
  expect(
    [
      '2028-02-29',
      '2027-02-28',
      '2028-02-28',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
      '2027-04-30',
    ].map(findReminderDueOn),
  ).toEqual(['pre_due', 'pre_due', null, 'pre_due', 'on_due', 'post_due', null, 'pre_due'])
})

test(
  'sends each reminder once a month, at ten in each dojo’s time zone',
  { timeout: isLong ? 600_000 : 300_000 },
  async () => {
    setClock(new Date(Date.UTC(2027, FIRST_MONTH, 3, 12)).toISOString())
    const senseiInChicago = await createSenseiWithReminders()
    const senseiInAdelaide = await createSenseiWithReminders()
    const zones = new Map([
      [senseiInChicago, 'America/Chicago'],
      [senseiInAdelaide, 'Australia/Adelaide'],
    ])
    for (const [sensei, zone] of zones) {
      const dojoId = await dojoIdOf(server.db, sensei.id)
      await setTimeZone(dojoId, zone)
      await createStudents(server.db, dojoId, 2)
    }
    const clocks = [...zones.values()].map(
      (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }),
    )
    const isAroundTen = () =>
      clocks.some((clock) => ['09:30', '10:00'].includes(clock.format(now())))
    // Every half hour from two days before to three days after each 1st, on two servers.
    for (let month = 0; month < MONTH_COUNT; month += 1) {
      const start = Date.UTC(2027, FIRST_MONTH + month + 1, 1) - 44 * HOUR_MS
      for (let time = start; time < start + 108 * HOUR_MS; time += HOUR_MS / 2) {
        setClock(new Date(time).toISOString())
        if (isLong || isAroundTen()) await runJobs()
      }
    }
    for (const [sensei, timeZone] of zones) {
      const reminders = await listBatches(sensei.email)
      const sentAt = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'short',
      })
      const localTimes = reminders.map(
        ({ message_type, created_at }) => `${sentAt.format(new Date(created_at))} ${message_type}`,
      )
      const expectedTimes = Array.from({ length: MONTH_COUNT }, (_, month) => {
        const formatDayAfterFirst = (days: number) =>
          new Date(Date.UTC(2027, FIRST_MONTH + month + 1, 1 + days)).toISOString().slice(0, 10)
        return [
          `${formatDayAfterFirst(-1)} 10:00 pre_due`,
          `${formatDayAfterFirst(0)} 10:00 on_due`,
          `${formatDayAfterFirst(1)} 10:00 post_due`,
        ]
      }).flat()
      expect(localTimes).toEqual(expectedTimes)
      expect(new Set(reminders.map(({ counts }) => counts.total))).toEqual(new Set([2]))
    }
  },
)

test('skips students who paid or are on trial, and catches up on the same day', async () => {
  setClock('2029-06-02T02:00:00Z')
  const sensei = await createSenseiWithReminders()
  const paidStudent = await server.createStudent(sensei, { name: 'Paid Up' })
  await sensei.post('/payment-records', {
    student_id: paidStudent.id,
    payment_month: 5,
    payment_year: 2029,
    payment_status: 'paid',
  })
  await server.createStudent(sensei, { name: 'On Trial', is_trial: true })
  await server.createStudent(sensei, { name: 'Owes It' })
  // It is 9 PM on the 1st in Chicago. At 10 AM no server was running.
  await runJobs()
  const [batch, ...otherBatches] = (await sensei.get('/sms/batches')).body
  expect([batch.message_type, batch.counts.total, batch.counts.skipped, otherBatches]).toEqual([
    'on_due',
    1,
    2,
    [],
  ])
  expect(
    (await sensei.get(`/sms/batches/${batch.id}`)).body.texts.map(
      ({ name, reason }: { name: string; reason: string }) => [name, reason],
    ),
  ).toEqual([
    ['On Trial', 'On trial'],
    ['Owes It', null],
    ['Paid Up', 'Paid for the month'],
  ])
  // No server was running on the 2nd.
  setClock('2029-06-04T16:00:00Z')
  await runJobs()
  expect((await sensei.get('/sms/batches')).body).toHaveLength(1)
})

test('sends no automatic reminder after a manual one, or when reminders are off', async () => {
  setClock('2029-07-31T12:00:00Z') // 7 AM in Chicago
  const senseiWithManualReminder = await createSenseiWithReminders()
  const senseiWithoutReminders = await createSenseiWithReminders()
  for (const sensei of [senseiWithManualReminder, senseiWithoutReminders])
    await sensei.post('/students', exampleStudent({ class_preferences: ['saturday'] }))
  expect((await senseiWithManualReminder.post('/sms/send-pre-due-reminder')).body).toEqual({
    success: true,
    total_recipients: 1,
  })
  expect((await senseiWithManualReminder.get('/reminder-settings')).body).toEqual({
    reminders_enabled: true,
    runs: [{ reminder: 'pre_due', month: '2029-08-01' }],
  })
  expect(
    (await senseiWithoutReminders.put('/reminder-settings', { reminders_enabled: false })).body,
  ).toEqual({ success: true, reminders_enabled: false })
  setClock('2029-07-31T15:30:00Z') // 10:30 AM in Chicago
  await runJobs()
  expect([
    (await senseiWithManualReminder.get('/sms/batches')).body.length,
    (await senseiWithoutReminders.get('/sms/batches')).body.length,
  ]).toEqual([1, 0])
})

test('sends a manual reminder once per Idempotency-Key, and respects `unless_sent`', async () => {
  setClock('2029-08-01T12:00:00Z') // 7 AM in Chicago
  const sensei = await createSenseiWithReminders()
  await sensei.post('/students', exampleStudent({ class_preferences: ['saturday'] }))
  const sendReminder = async (http: typeof server.http, query = '', key?: string) => {
    const headers = {
      authorization: `Bearer ${sensei.token}`,
      ...(key && { 'idempotency-key': key }),
    }
    const response = await http.inject({
      method: 'POST',
      url: `/api/sms/send-on-due-reminder${query}`,
      headers,
    })
    return [response.statusCode, response.json<{ detail?: string }>().detail]
  }
  const acceptance = [200, undefined]
  const refusal = [409, 'This reminder has already been sent, so it wasn’t sent again.']
  const countBatches = async () => (await sensei.get('/sms/batches')).body.length
  const responses = await Promise.all(
    [server.http, otherServer.http].map((http) => sendReminder(http, '?unless_sent=true')),
  )
  expect([responses.toSorted(([a], [b]) => Number(a) - Number(b)), await countBatches()]).toEqual([
    [acceptance, refusal],
    1,
  ])
  setClock('2029-08-01T15:30:00Z') // 10:30 AM in Chicago
  await runJobs()
  expect([
    await sendReminder(server.http, '?unless_sent=true', 'one-press'),
    await countBatches(),
  ]).toEqual([refusal, 1])
  const laterResponses = await Promise.all(
    [server.http, otherServer.http, server.http].map((http) => sendReminder(http, '', 'one-press')),
  )
  expect([laterResponses, await countBatches()]).toEqual([[acceptance, acceptance, acceptance], 2])
  expect([await sendReminder(server.http), await countBatches()]).toEqual([acceptance, 3])
})

test('sends a manual reminder as previewed, and shows that it was sent', async () => {
  setClock('2029-08-15T15:00:00Z')
  const sensei = await createSenseiWithReminders()
  const paidStudent = await server.createStudent(sensei, { name: 'Paid Up' })
  await sensei.post('/payment-records', {
    student_id: paidStudent.id,
    payment_month: 8,
    payment_year: 2029,
    payment_status: 'paid',
  })
  await server.createStudent(sensei, { name: 'On Trial', is_trial: true })
  await server.createStudent(sensei, { name: 'Owes It' })
  const readPreview = async (reminder: string) =>
    (await sensei.get(`/sms/reminders/${reminder}/preview`)).body
  const describeOutcomes = (reminderPreview: {
    students: { name: string; reason: string | null; text: string | null }[]
  }) => reminderPreview.students.map(({ name, reason, text }) => [name, reason ?? text])
  const preDue = await readPreview('pre_due')
  expect(preDue).toMatchObject({
    month: '2029-09-01',
    has_gone_out: false,
    total_recipients: 1,
    total_segments: 1,
    remaining_messages: 300,
  })
  expect(describeOutcomes(preDue)).toEqual([
    ['On Trial', 'trial'],
    ['Owes It', 'Hi Owes, a friendly reminder that your monthly fee is due on the 1st.'],
    ['Paid Up', 'paid'],
  ])
  expect(await readPreview('on_due')).toMatchObject({ month: '2029-08-01', total_recipients: 2 })
  expect((await sensei.post('/sms/send-pre-due-reminder')).body.total_recipients).toBe(1)
  expect([
    (await readPreview('pre_due')).has_gone_out,
    (await readPreview('post_due')).has_gone_out,
  ]).toEqual([true, false])
  expect((await sensei.get('/sms/reminders/never_due/preview')).status).toBe(404)
})

type Text = { name: string; state: string; reason: string | null; phone_number: string | null }
/** Creates a dojo with an allowance of one text. The reminders of all other students wait. */
async function createDojoWithWaitingReminders(time: string, studentCount: number) {
  setClock(time)
  const superAdmin = await server.signInSuperAdmin()
  const sensei = await createSenseiWithReminders()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, studentCount)
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
  await runJobs()
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 300 })
  const readFirstBatch = async (type: string) => {
    const { id } = (await listBatches(sensei.email)).find(
      ({ message_type }) => message_type === type,
    )!
    return (await (await server.signIn(sensei.email)).get(`/sms/batches/${id}`)).body as {
      texts: Text[]
    }
  }
  const dojoStudents = (await sensei.get('/students')).body as {
    id: string
    name: string
    phone_number: string
  }[]
  const readOutcomes = async () =>
    (await readFirstBatch('on_due')).texts.map(({ name, state, reason, phone_number }) => [
      name.split(' ')[0],
      state,
      reason ?? phone_number,
    ])
  return { dojoId, sensei, readFirstBatch, dojoStudents, readOutcomes }
}

test('sends reminders beyond the allowance at ten the next day', async () => {
  const { sensei, readFirstBatch } = await createDojoWithWaitingReminders(
    '2029-09-01T15:30:00Z',
    301,
  )
  const countWaiting = async (type: string) =>
    (await readFirstBatch(type)).texts.filter(({ state }) => state === 'waiting').length
  // It is 7 PM in Chicago, but a new day in UTC.
  setClock('2029-09-02T00:01:00Z')
  await runJobs()
  expect([
    await countWaiting('on_due'),
    (await sensei.get('/daily-message-usage')).body.message_count,
  ]).toEqual([300, 0])
  setClock('2029-09-02T15:00:30Z') // 10 AM in Chicago
  await runJobs()
  expect([await countWaiting('on_due'), await countWaiting('post_due')]).toEqual([0, 301])
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(300)
})

test('sends a waiting reminder only to students who still need it', async () => {
  const { dojoId, sensei, dojoStudents, readOutcomes } = await createDojoWithWaitingReminders(
    '2029-10-01T15:30:00Z',
    7,
  )
  expect((await readOutcomes()).slice(1).map(([, state]) => state)).toEqual(
    Array(6).fill('waiting'),
  )
  const [, paidStudent, vacationer, trialStudent, renumberedStudent, stoppedStudent, lastStudent] =
    dojoStudents
  await sensei.post('/payment-records', {
    student_id: paidStudent!.id,
    payment_month: 9,
    payment_year: 2029,
    payment_status: 'paid',
  })
  const updateStudent = (
    student: { id: string } | undefined,
    changes: Partial<typeof students.$inferInsert>,
  ) =>
    server.db.inDojo(dojoId, (tx) =>
      tx.update(students).set(changes).where(eq(students.id, student!.id)),
    )
  await updateStudent(vacationer, { on_vacation: true })
  await updateStudent(trialStudent, { is_trial: true })
  await updateStudent(renumberedStudent, { phone_number: '(512) 555-0177' })
  await server.db.withoutDojo((tx) => optOut(tx, stoppedStudent!.phone_number))
  setClock('2029-10-02T15:30:00Z') // 10:30 AM the next day
  await runJobs()
  expect((await readOutcomes()).slice(1)).toEqual([
    ['b', 'skipped', 'Paid for the month'],
    ['c', 'skipped', 'On vacation'],
    ['d', 'skipped', 'On trial'],
    ['e', 'queued', '+15125550177'],
    ['f', 'skipped', 'Opted out of texts'],
    ['g', 'queued', lastStudent!.phone_number],
  ])
})

test('drops a waiting reminder when reminders are off or its month is over', async () => {
  const dojoWithoutReminders = await createDojoWithWaitingReminders('2029-11-01T15:30:00Z', 2)
  await dojoWithoutReminders.sensei.put('/reminder-settings', { reminders_enabled: false })
  setClock('2029-11-02T15:30:00Z') // 10:30 AM the next day
  await runJobs()
  expect((await dojoWithoutReminders.readOutcomes())[1]).toEqual([
    'b',
    'skipped',
    'Reminders were off',
  ])
  const dojoOfLastMonth = await createDojoWithWaitingReminders('2029-12-01T16:30:00Z', 2)
  setClock('2030-01-01T16:30:00Z') // A month later
  await runJobs()
  expect((await dojoOfLastMonth.readOutcomes())[1]).toEqual(['b', 'skipped', 'The month was over'])
})
