import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const throwError = (error: unknown) => {
  throw error
}
const FEBRUARY = { month: 1, year: 2027 }

async function createDojo() {
  setClock('2027-01-10T15:00:00Z')
  const sensei = await server.createSensei()
  const enroll = (name: string, changes: object = {}) =>
    server.createStudent(sensei, { name, monthly_payment_amount: 85.5, ...changes })
  const ken = await enroll('Ken Adams'),
    mia = await enroll('Mia Brown', { monthly_payment_amount: 100 }),
    tim = await enroll('Tim Ward', { is_trial: true })
  await runDueJobs(server.db, throwError)
  const signInAt = async (iso: string) => {
    setClock(iso)
    await runDueJobs(server.db, throwError)
    return server.signIn(sensei.email)
  }
  return { sensei, ken, mia, tim, signInAt }
}
type Client = Awaited<ReturnType<Awaited<ReturnType<typeof createDojo>>['signInAt']>>
const listLateFees = async (client: Client, { month, year } = FEBRUARY) =>
  (await client.get(`/late-fees/preview?month=${month}&year=${year}`)).body.map(
    ({ name, owed, days_late, fee }: Record<string, string | number>) =>
      `${name}: ${fee} of ${owed}, ${days_late} days`,
  )

test('starts without late fees, and sets and removes a rule', async () => {
  const { signInAt } = await createDojo()
  const client = await signInAt('2027-02-20T15:00:00Z')
  const noRule = { grace_days: 0, percent: null, amount: null }
  expect((await client.get('/late-fee-rule')).body).toEqual(noRule)
  expect(await listLateFees(client)).toEqual([])
  expect((await client.put('/late-fee-rule', { grace_days: 7, amount: 12.5 })).body).toEqual({
    grace_days: 7,
    percent: null,
    amount: 12.5,
  })
  expect((await client.put('/late-fee-rule', { grace_days: 3, percent: 10 })).body).toEqual({
    grace_days: 3,
    percent: 10,
    amount: null,
  })
  const refusalOf = async (rule: object) => (await client.put('/late-fee-rule', rule)).body.detail
  expect(await refusalOf({ grace_days: 3, percent: 10, amount: 5 })).toBe(
    'A late fee is either a percentage or an amount in dollars',
  )
  expect(await refusalOf({ grace_days: 61, percent: 10 })).toBe('Grace days must be 0 to 60')
  expect(await refusalOf({ grace_days: 3, percent: 101 })).toBe('The late fee must be 1 to 100%')
  expect((await client.get('/late-fee-rule')).body).toMatchObject({ percent: 10 })
  expect((await client.put('/late-fee-rule', { grace_days: 0 })).body).toEqual(noRule)
})

test('lists late students, except those on trial, on vacation or with a promise', async () => {
  const { ken, mia, signInAt } = await createDojo()
  let client = await signInAt('2027-02-06T15:00:00Z')
  await client.put('/late-fee-rule', { grace_days: 5, percent: 10 })
  expect(await listLateFees(client)).toEqual([])
  client = await signInAt('2027-02-07T15:00:00Z')
  expect(await listLateFees(client)).toEqual([
    'Ken Adams: 8.55 of 85.5, 6 days',
    'Mia Brown: 10 of 100, 6 days',
  ])
  await client.post('/payments', { student_id: ken.id, amount: 45.5, toward: FEBRUARY })
  expect(await listLateFees(client)).toEqual([
    'Ken Adams: 4 of 40, 6 days',
    'Mia Brown: 10 of 100, 6 days',
  ])
  await client.put(`/students/${mia.id}/vacation`, {
    vacation_from: '2027-02-05',
    vacation_until: '2027-02-08',
  })
  expect(await listLateFees(client)).toEqual(['Ken Adams: 4 of 40, 6 days'])
  await client.post('/payment-promises', { student_ids: [ken.id], promised_on: '2027-02-09' })
  expect(await listLateFees(client)).toEqual([])
  client = await signInAt('2027-02-09T15:00:00Z')
  expect(await listLateFees(client)).toEqual(['Mia Brown: 10 of 100, 8 days'])
  client = await signInAt('2027-02-10T15:00:00Z')
  expect(await listLateFees(client)).toEqual([
    'Ken Adams: 4 of 40, 9 days',
    'Mia Brown: 10 of 100, 9 days',
  ])
  // January has ended, and March has not begun.
  expect(await listLateFees(client, { month: 0, year: 2027 })).toEqual([
    'Ken Adams: 8.55 of 85.5, 31 days',
    'Mia Brown: 10 of 100, 31 days',
  ])
  expect(await listLateFees(client, { month: 2, year: 2027 })).toEqual([])
})

test('charges a late fee once per month, and again after an undo', async () => {
  const { ken, mia, signInAt } = await createDojo()
  const client = await signInAt('2027-02-20T15:00:00Z')
  await client.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  const feesOfBoth = { ...FEBRUARY, student_ids: [ken.id, mia.id] }
  const chargedReply = await client.post('/late-fees', feesOfBoth)
  expect([chargedReply.status, chargedReply.body]).toEqual([
    200,
    { act_id: expect.any(String), students: 2, total: 30 },
  ])
  const account = async () => (await client.get(`/students/${ken.id}/account`)).body
  expect((await account()).charges).toContainEqual(
    expect.objectContaining({
      kind: 'late_fee',
      ...FEBRUARY,
      amount: 15,
      owed: 15,
      charged_on: '2027-02-20',
    }),
  )
  expect(await listLateFees(client)).toEqual([])
  const secondReply = await client.post('/late-fees', feesOfBoth)
  expect([secondReply.status, secondReply.body.detail]).toEqual([
    409,
    'The list has changed. Nobody was charged. Please check it again.',
  ])
  const { body: undoReply } = await client.post(`/ledger-acts/${chargedReply.body.act_id}/undo`)
  expect(undoReply).toMatchObject({ lines: 2 })
  expect((await account()).charges).not.toContainEqual(
    expect.objectContaining({ kind: 'late_fee' }),
  )
  expect(
    (await client.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })).body,
  ).toMatchObject({ students: 1, total: 15 })
  expect((await account()).charges).toContainEqual(
    expect.objectContaining({ kind: 'late_fee', owed: 15 }),
  )
})

test('refuses to charge any student if one of them owes nothing anymore', async () => {
  const { ken, mia, tim, signInAt } = await createDojo()
  const client = await signInAt('2027-02-20T15:00:00Z')
  await client.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  await client.post('/payment-records', {
    student_id: ken.id,
    payment_month: 1,
    payment_year: 2027,
    payment_status: 'paid',
  })
  for (const student of [ken, tim]) {
    const refusal = await client.post('/late-fees', {
      ...FEBRUARY,
      student_ids: [mia.id, student.id],
    })
    expect([refusal.status, refusal.body.detail]).toEqual([
      409,
      'The list has changed. Nobody was charged. Please check it again.',
    ])
  }
  expect(await listLateFees(client)).toEqual(['Mia Brown: 15 of 100, 19 days'])
})

test('does not charge a forgiven late fee again', async () => {
  const { ken, signInAt } = await createDojo()
  const client = await signInAt('2027-02-20T15:00:00Z')
  await client.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  await client.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })
  const { charges } = (await client.get(`/students/${ken.id}/account`)).body
  const fee = charges.find(({ kind }: { kind: string }) => kind === 'late_fee')
  expect((await client.post(`/charges/${fee.id}/write-off`, {})).status).toBe(200)
  expect(await listLateFees(client)).toEqual(['Mia Brown: 15 of 100, 19 days'])
})

test('charges a late fee only once for simultaneous requests', async () => {
  const { ken, signInAt } = await createDojo()
  const client = await signInAt('2027-02-20T15:00:00Z')
  await client.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  const responses = await Promise.all(
    [1, 2, 3].map(() => client.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })),
  )
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})
