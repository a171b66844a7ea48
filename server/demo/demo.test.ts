import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import pg from 'pg'
import { expect, test } from 'vitest'
import { seedDemo } from './demo.ts'
import { listLastMonths, todayIn } from '../dojos/calendar.ts'
import { now } from '../lib/clock.ts'
import { expectConsistentPayments } from '../test/reconcile.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('seeds a year of the demo dojo, and only once', { timeout: 120_000 }, async () => {
  const logLines: string[] = []
  await seedDemo(server.db, (line) => void logLines.push(line))
  await seedDemo(server.db, (line) => void logLines.push(line))
  expect(logLines.at(-1)).toBe(
    'Log in as sensei sensei@cedarpark.com, as student ken.adams@cedarpark.com ' +
      'or as their mother ann.adams@cedarpark.com, all with the password Tatami2026',
  )
  expect(logLines).toHaveLength(3)
  const sensei = await server.signIn('sensei@cedarpark.com', 'Tatami2026')
  const students = (await sensei.get('/students')).body as {
    belt_level: string
    name: string
    photo: string | null
  }[]
  expect(students.filter(({ photo }) => photo === null)).toEqual([])
  expect((await sensei.get('/profile')).body).toMatchObject({
    dojo_logo: expect.stringMatching(/^\/logos\//),
    dojo_color: '#2f6b4f',
  })
  expect([students.length, new Set(students.map(({ belt_level }) => belt_level)).size]).toEqual([
    42, 7,
  ])
  expect((await sensei.get('/classes')).body).toHaveLength(11)
  expect((await sensei.get('/attendance?limit=1000')).body).toHaveLength(1000)
  const { movements, payments } = (await sensei.get('/dashboard/analytics')).body as {
    movements: { enrolled: number; departed: number }[]
    payments: { received: number }[]
  }
  expect(movements.filter(({ enrolled }) => enrolled > 0).length).toBeGreaterThan(8)
  expect(movements.reduce((sum, { departed }) => sum + departed, 0)).toBe(3)
  expect(payments.filter(({ received }) => received > 1000).length).toBeGreaterThan(10)
  const balances = (await sensei.get('/payment-balances')).body as {
    student_id: string
    owed: number
    credit: number
    owed_since: string
  }[]
  const [oldestUnpaidMonth] = listLastMonths('America/Chicago', 3)
  expect(balances.filter(({ owed_since }) => owed_since === oldestUnpaidMonth)).toHaveLength(2)
  expect(balances.filter(({ credit }) => credit > 0)).toHaveLength(1)
  const lastDay = todayIn('America/Chicago', new Date(now().getTime() + 45 * DAY_MS))
  const dates = (await sensei.get(`/class-dates?until=${lastDay}`)).body as {
    status: string
    substitute: string | null
    waiting: number
  }[]
  expect(new Set(dates.map(({ status }) => status))).toEqual(
    new Set(['on', 'cancelled', 'holiday']),
  )
  expect([
    dates.filter(({ substitute }) => substitute).length,
    dates.filter(({ waiting }) => waiting > 0).length,
  ]).toEqual([1, 1])
  const adminClient = new pg.Client({ connectionString: server.adminUrl })
  await adminClient.connect()
  const { rows } = await adminClient.query<{ dojo_id: string }>(
    "select dojo_id from accounts where email = 'sensei@cedarpark.com'",
  )
  await expectConsistentPayments(adminClient, rows[0]!.dojo_id, sensei)
  await adminClient.end()
  const batches = (await sensei.get('/sms/batches')).body as {
    message_type: string
    counts: { delivered: number; failed: number; pending: number }
  }[]
  expect(new Set(batches.map(({ message_type }) => message_type))).toEqual(
    new Set(['special_announcement', 'weather_cancel', 'pre_due', 'on_due', 'post_due']),
  )
  expect(
    batches.every(({ counts }) => counts.delivered > 0 && counts.pending === 0) &&
      batches.some(({ counts }) => counts.failed > 0),
  ).toBe(true)
  expect((await sensei.get('/sms/inbox/unread-count')).body).toEqual({ unread_count: 3 })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date())
  const [kensBirthday] = (await sensei.get('/student-birthdays')).body.filter(
    (record: { student_name: string }) => record.student_name === 'Ken Adams',
  )
  expect(kensBirthday.date_of_birth.slice(5)).toBe(today.slice(5).replace('02-29', '02-28'))
  const student = await server.signIn('ken.adams@cedarpark.com', 'Tatami2026')
  expect((await student.get('/announcements')).body.length).toBeGreaterThan(0)

  const mother = await server.signIn('ann.adams@cedarpark.com', 'Tatami2026')
  const { children, total } = (await mother.get('/family/home')).body
  expect(children.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Finn Adams',
    'Ken Adams',
    'Ruby Adams',
  ])
  const year = Number(today.slice(0, 4))
  const [lastYear, thisYear] = [
    await mother.get(`/family/payments?year=${year - 1}`),
    await mother.get(`/family/payments?year=${year}`),
  ]
  expect(lastYear.body.length + thisYear.body.length).toBeGreaterThan(10)
  type Notice = { title: string; message: string; is_read: boolean; created_at: string }
  for (const person of [sensei, mother]) {
    const notices: Notice[] = (await person.get('/notifications')).body
    expect(notices.filter(({ title, message }) => /[{}]/.test(title + message))).toEqual([])
    const weekAgo = new Date(now().getTime() - 7 * DAY_MS).toISOString()
    expect(notices.filter(({ is_read, created_at }) => !is_read && created_at < weekAgo)).toEqual(
      [],
    )
  }
  const [{ id: gradingId }] = (await sensei.get('/gradings')).body
  const grading = (await sensei.get(`/gradings/${gradingId}`)).body
  const childIds = new Set(children.map(({ id }: { id: string }) => id))
  const testFees = grading.candidates
    .filter(({ student_id }: { student_id: string }) => childIds.has(student_id))
    .reduce((sum: number, { fee }: { fee: number }) => sum + fee, 0)
  // Fees of 85, 70 less 20% and 75 less 10%, whether they are paid or still owed.
  expect(total.paid + total.owed).toBe(208.5 + testFees)
  const { guardians, families } = (await sensei.get('/families')).body
  type GuardianRow = { name: string; students: { student_name: string; pays: boolean }[] }
  expect(
    guardians
      .filter(({ students: [link] }: GuardianRow) => link!.student_name === 'Mateo Cruz')
      .map(({ name, students: [link] }: GuardianRow) => [name, link!.pays]),
  ).toEqual([
    ['Isabel Cruz', true],
    ['Rafael Cruz', false],
  ])
  expect(families).toHaveLength(2)
  expect((await sensei.get('/excuses')).body).toMatchObject([
    { student_name: 'Ruby Adams', source: 'guardian', created_by_name: 'Ann Adams' },
  ])
  expect(grading).toMatchObject({ held_on: today, state: 'open' })
  expect(grading.counts.candidates).toBeGreaterThan(5)
  expect(grading.counts.yes).toBeGreaterThan(grading.counts.no)
  expect((await sensei.get('/kiosks')).body.kiosks).toMatchObject([{ name: 'Front door' }])
  const { setup } = (await sensei.get('/dashboard/stats')).body
  expect(setup.filter(({ state }: { state: string }) => state === 'open')).toEqual([])
  const thread = (
    await sensei.get(`/sms/conversations/${encodeURIComponent('+15125550310')}/messages`)
  ).body
  expect(thread.slice(0, 2)).toMatchObject([
    { direction: 'out', kind: 'reply', state: 'delivered', sender_name: 'Aiko Tanaka' },
    { direction: 'in', text: expect.stringMatching(/^Ruby has a cold/) },
  ])
  expect(thread.some(({ text }: { text: string }) => text.includes('Finn, Ken and Ruby'))).toBe(
    true,
  )
})
