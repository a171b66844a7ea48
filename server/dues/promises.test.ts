import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { backdateReminderNotice } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const throwError = (error: unknown) => {
  throw error
}

/** Rosa pays for Ana and Leo. Ken has no payer. The dojo is in Chicago. */
async function createDojo() {
  setClock('2027-01-10T15:00:00Z')
  const sensei = await server.createSensei()
  const enroll = (name: string) =>
    server.createStudent(sensei, { name, monthly_payment_amount: 100 })
  const ken = await enroll('Ken Adams'),
    ana = await enroll('Ana Diaz'),
    leo = await enroll('Leo Diaz')
  const links = [ana, leo].map(({ id }) => ({ student_id: id, pays: true }))
  await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: links,
  })
  await runDueJobs(server.db, throwError)
  const signInAt = async (iso: string) => {
    setClock(iso)
    await runDueJobs(server.db, throwError)
    return server.signIn(sensei.email)
  }
  return {
    sensei,
    ken,
    ana,
    leo,
    signInAt,
    names: new Map([ken, ana, leo].map(({ id, name }) => [id, name])),
  }
}
type Client = Awaited<ReturnType<Awaited<ReturnType<typeof createDojo>>['signInAt']>>
const outcomes = (students: { name: string; reason: string | null; promised_on?: string }[]) =>
  students.map(
    ({ name, reason, promised_on }) =>
      `${name}: ${reason ?? 'sends'}${promised_on ? ` ${promised_on}` : ''}`,
  )
const previewRecipients = async (client: Client) =>
  outcomes((await client.get('/sms/reminders/on_due/preview')).body.students)
const promisesOf = async (client: Client) =>
  (await client.get('/payment-promises')).body.map(
    ({ promised_on }: { promised_on: string }) => promised_on,
  )
const PROMISED_RECIPIENTS = [
    'Ana Diaz: promised 2027-03-02',
    'Ken Adams: sends',
    'Leo Diaz: promised 2027-03-02',
  ],
  ALL_RECIPIENTS = ['Ana Diaz: sends', 'Ken Adams: sends', 'Leo Diaz: sends']

test('sends no fee reminder until the day after the promised day', async () => {
  const { ana, leo, signInAt } = await createDojo()
  let client = await signInAt('2027-03-01T15:00:00Z')
  const { body } = await client.post('/payment-promises', {
    student_ids: [ana.id, leo.id],
    promised_on: '2027-03-02',
    note: 'Pay day',
  })
  expect(body).toEqual({
    id: expect.any(String),
    promised_on: '2027-03-02',
    note: 'Pay day',
    student_ids: [ana.id, leo.id],
  })
  expect(await previewRecipients(client)).toEqual(PROMISED_RECIPIENTS)
  // Late in the evening in Chicago, when UTC already has the next day.
  client = await signInAt('2027-03-03T05:30:00Z')
  expect(await previewRecipients(client)).toEqual(PROMISED_RECIPIENTS)
  client = await signInAt('2027-03-03T06:30:00Z')
  expect(await previewRecipients(client)).toEqual(ALL_RECIPIENTS)
  expect(await promisesOf(client)).toEqual(['2027-03-02', '2027-03-02'])
})

test('leaves out students with a promise from automatic reminders, and says why', async () => {
  const { ana, signInAt, sensei } = await createDojo()
  await backdateReminderNotice(server.db, sensei.dojoId)
  let client = await signInAt('2027-03-01T05:00:00Z')
  await client.post('/payment-promises', { student_ids: [ana.id], promised_on: '2027-03-01' })
  client = await signInAt('2027-03-01T16:00:00Z')
  client = await signInAt('2027-03-02T16:00:00Z')
  const batches: { id: string; message_type: string }[] = (await client.get('/sms/batches')).body
  const reasons = async (kind: string) => {
    const { id } = batches.find(({ message_type }) => message_type === kind)!
    const { texts } = (await client.get(`/sms/batches/${id}`)).body
    return texts.map(({ name, reason }: { name: string; reason: string | null }) => [name, reason])
  }
  expect(await reasons('on_due')).toEqual([
    ['Ana Diaz', 'Will pay by Monday, March 1'],
    ['Ken Adams', null],
    ['Leo Diaz', null],
  ])
  expect(await reasons('post_due')).toEqual([
    ['Ana Diaz', null],
    ['Ken Adams', null],
    ['Leo Diaz', null],
  ])
})

test('skips students with a promise in a reminder to all, but not if selected', async () => {
  const { ken, ana, signInAt } = await createDojo()
  const client = await signInAt('2027-03-10T15:00:00Z')
  await client.post('/payment-promises', {
    student_ids: [ana.id, ken.id],
    promised_on: '2027-03-12',
  })
  const lateFeeText = {
    message_type: 'late_fee',
    custom_message: 'Hi {name}, {amount} is late.',
    selected_month: 2,
    selected_year: 2027,
  }
  const preview = async (changes: object = {}) =>
    (await client.post('/sms/preview', { ...lateFeeText, ...changes })).body.students
  expect(outcomes(await preview())).toEqual([
    'Ana Diaz: promised 2027-03-12',
    'Ken Adams: promised 2027-03-12',
    'Leo Diaz: sends',
  ])
  expect(outcomes(await preview({ selected_students: [ana.id] }))).toEqual([
    'Ana Diaz: sends 2027-03-12',
  ])
  const sentReply = (
    await client.post('/sms/send-bulk-message', { ...lateFeeText, selected_students: [ana.id] })
  ).body
  expect(sentReply).toMatchObject({ total_recipients: 1, skipped: [] })
  const closedText = { message_type: 'weather_cancel', custom_message: 'No class.' }
  expect(outcomes(await preview(closedText))).toEqual(ALL_RECIPIENTS)
})

test('replaces an earlier promise, and ends a promise', async () => {
  const { ana, leo, signInAt } = await createDojo()
  const client = await signInAt('2027-03-01T15:00:00Z')
  const promiseOfBoth = await client.post('/payment-promises', {
    student_ids: [ana.id, leo.id],
    promised_on: '2027-03-05',
  })
  await client.post('/payment-promises', { student_ids: [ana.id], promised_on: '2027-03-09' })
  expect(await promisesOf(client)).toEqual(['2027-03-05', '2027-03-09'])
  expect((await client.delete(`/payment-promises/${promiseOfBoth.body.id}`)).body).toEqual({
    success: true,
  })
  expect(await promisesOf(client)).toEqual(['2027-03-09'])
  expect((await client.delete(`/payment-promises/${promiseOfBoth.body.id}`)).status).toBe(200)
  const missingReply = await client.delete(`/payment-promises/${ana.id}`)
  expect([missingReply.status, missingReply.body.detail]).toEqual([404, 'Promise not found'])
})

test('refuses a promise for a past day', async () => {
  const { ana, signInAt } = await createDojo()
  const client = await signInAt('2027-03-02T05:00:00Z') // still March 1 in Chicago
  const refusal = await client.post('/payment-promises', {
    student_ids: [ana.id],
    promised_on: '2027-02-28',
  })
  expect([refusal.status, refusal.body.detail]).toEqual([422, 'The day must be today or later'])
  expect(
    (await client.post('/payment-promises', { student_ids: [ana.id], promised_on: '2027-03-01' }))
      .status,
  ).toBe(200)
})

test('ends a promise when everything is paid, and reopens it after an undo', async () => {
  const { ana, leo, signInAt } = await createDojo()
  const client = await signInAt('2027-03-10T15:00:00Z')
  await client.post('/payment-promises', {
    student_ids: [ana.id, leo.id],
    promised_on: '2027-03-12',
  })
  // Ana owes $300 for three months.
  await client.post('/payments', { student_id: ana.id, amount: 299 })
  expect(await promisesOf(client)).toHaveLength(2)
  const remainingReply = (await client.post('/payments', { student_id: ana.id, amount: 1 })).body
  expect(await promisesOf(client)).toHaveLength(1)
  const undoReply = (await client.post(`/ledger-acts/${remainingReply.act_id}/undo`)).body
  expect(await promisesOf(client)).toHaveLength(2)
  await client.post(`/ledger-acts/${undoReply.act_id}/undo`)
  expect(await promisesOf(client)).toHaveLength(1)
})

test('ends a promise when every month is marked paid', async () => {
  const { ken, signInAt } = await createDojo()
  const client = await signInAt('2027-02-10T15:00:00Z')
  await client.post('/payment-promises', { student_ids: [ken.id], promised_on: '2027-02-12' })
  const mark = (payment_month: number) => ({
    student_id: ken.id,
    payment_month,
    payment_year: 2027,
    payment_status: 'paid',
  })
  await client.post('/payment-records', mark(0))
  expect(await promisesOf(client)).toHaveLength(1)
  await client.post('/payment-records', mark(1))
  expect(await promisesOf(client)).toHaveLength(0)
})

test('shows a family’s newest promise, even if its day is past', async () => {
  const { ana, leo, signInAt } = await createDojo()
  let client = await signInAt('2027-03-01T15:00:00Z')
  const promise = async () =>
    (await client.get('/owing')).body.find(({ payer }: { payer: object | null }) => payer)!.promise
  expect(await promise()).toBeNull()
  await client.post('/payment-promises', { student_ids: [ana.id], promised_on: '2027-03-05' })
  client = await signInAt('2027-03-01T16:00:00Z')
  await client.post('/payment-promises', {
    student_ids: [leo.id],
    promised_on: '2027-03-03',
    note: 'Half now',
  })
  client = await signInAt('2027-03-09T15:00:00Z')
  expect(await promise()).toEqual({
    id: expect.any(String),
    promised_on: '2027-03-03',
    note: 'Half now',
  })
})
