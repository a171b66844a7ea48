import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const fail = (error: unknown) => {
  throw error
}
const FEBRUARY = { month: 1, year: 2027 }

async function aDojo() {
  setClock('2027-01-10T15:00:00Z')
  const sensei = await server.createSensei()
  const enrol = (name: string, changes: object = {}) =>
    server.createStudent(sensei, { name, monthly_payment_amount: 85.5, ...changes })
  const ken = await enrol('Ken Adams'),
    mia = await enrol('Mia Brown', { monthly_payment_amount: 100 }),
    tim = await enrol('Tim Ward', { is_trial: true })
  await runDueJobs(server.db, fail)
  const signInAt = async (iso: string) => {
    setClock(iso)
    await runDueJobs(server.db, fail)
    return server.signIn(sensei.email)
  }
  return { sensei, ken, mia, tim, at: signInAt }
}
type Client = Awaited<ReturnType<Awaited<ReturnType<typeof aDojo>>['at']>>
const due = async (now: Client, { month, year } = FEBRUARY) =>
  (await now.get(`/late-fees/preview?month=${month}&year=${year}`)).body.map(
    ({ name, owed, days_late, fee }: Record<string, string | number>) =>
      `${name}: ${fee} of ${owed}, ${days_late} days`,
  )

test('starts without late fees, and sets and removes a rule', async () => {
  const { at } = await aDojo()
  const now = await at('2027-02-20T15:00:00Z')
  const noRule = { grace_days: 0, percent: null, amount: null }
  expect((await now.get('/late-fee-rule')).body).toEqual(noRule)
  expect(await due(now)).toEqual([])
  expect((await now.put('/late-fee-rule', { grace_days: 7, amount: 12.5 })).body).toEqual({
    grace_days: 7,
    percent: null,
    amount: 12.5,
  })
  expect((await now.put('/late-fee-rule', { grace_days: 3, percent: 10 })).body).toEqual({
    grace_days: 3,
    percent: 10,
    amount: null,
  })
  const refusalOf = async (rule: object) => (await now.put('/late-fee-rule', rule)).body.detail
  expect(await refusalOf({ grace_days: 3, percent: 10, amount: 5 })).toBe(
    'A late fee is either a percentage or an amount in dollars',
  )
  expect(await refusalOf({ grace_days: 61, percent: 10 })).toBe('Grace days must be 0 to 60')
  expect(await refusalOf({ grace_days: 3, percent: 101 })).toBe('The late fee must be 1 to 100%')
  expect((await now.get('/late-fee-rule')).body).toMatchObject({ percent: 10 })
  expect((await now.put('/late-fee-rule', { grace_days: 0 })).body).toEqual(noRule)
})

test('lists students who are late after the grace days, without trial, vacation or promise', async () => {
  const { ken, mia, at } = await aDojo()
  let now = await at('2027-02-06T15:00:00Z')
  await now.put('/late-fee-rule', { grace_days: 5, percent: 10 })
  expect(await due(now)).toEqual([])
  now = await at('2027-02-07T15:00:00Z')
  expect(await due(now)).toEqual([
    'Ken Adams: 8.55 of 85.5, 6 days',
    'Mia Brown: 10 of 100, 6 days',
  ])
  await now.post('/payments', { student_id: ken.id, amount: 45.5, toward: FEBRUARY })
  expect(await due(now)).toEqual(['Ken Adams: 4 of 40, 6 days', 'Mia Brown: 10 of 100, 6 days'])
  await now.put(`/students/${mia.id}/vacation`, {
    vacation_from: '2027-02-05',
    vacation_until: '2027-02-08',
  })
  expect(await due(now)).toEqual(['Ken Adams: 4 of 40, 6 days'])
  await now.post('/payment-promises', { student_ids: [ken.id], promised_on: '2027-02-09' })
  expect(await due(now)).toEqual([])
  now = await at('2027-02-09T15:00:00Z')
  expect(await due(now)).toEqual(['Mia Brown: 10 of 100, 8 days'])
  now = await at('2027-02-10T15:00:00Z')
  expect(await due(now)).toEqual(['Ken Adams: 4 of 40, 9 days', 'Mia Brown: 10 of 100, 9 days'])
  // A month that has ended, and one to come.
  expect(await due(now, { month: 0, year: 2027 })).toEqual([
    'Ken Adams: 8.55 of 85.5, 31 days',
    'Mia Brown: 10 of 100, 31 days',
  ])
  expect(await due(now, { month: 2, year: 2027 })).toEqual([])
})

test('charges a student once for a month, can be undone, and can be charged again', async () => {
  const { ken, mia, at } = await aDojo()
  const now = await at('2027-02-20T15:00:00Z')
  await now.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  const feesOfBoth = { ...FEBRUARY, student_ids: [ken.id, mia.id] }
  const chargedReply = await now.post('/late-fees', feesOfBoth)
  expect([chargedReply.status, chargedReply.body]).toEqual([
    200,
    { act_id: expect.any(String), students: 2, total: 30 },
  ])
  const account = async () => (await now.get(`/students/${ken.id}/account`)).body
  expect((await account()).charges).toContainEqual(
    expect.objectContaining({
      kind: 'late_fee',
      ...FEBRUARY,
      amount: 15,
      owed: 15,
      charged_on: '2027-02-20',
    }),
  )
  expect(await due(now)).toEqual([])
  const secondReply = await now.post('/late-fees', feesOfBoth)
  expect([secondReply.status, secondReply.body.detail]).toEqual([
    409,
    'The list has changed. Nobody was charged. Please check it again.',
  ])
  const { body: undone } = await now.post(`/ledger-acts/${chargedReply.body.act_id}/undo`)
  expect(undone).toMatchObject({ lines: 2 })
  expect((await account()).charges).not.toContainEqual(
    expect.objectContaining({ kind: 'late_fee' }),
  )
  expect((await now.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })).body).toMatchObject(
    { students: 1, total: 15 },
  )
  expect((await account()).charges).toContainEqual(
    expect.objectContaining({ kind: 'late_fee', owed: 15 }),
  )
})

test('charges nobody if one of them has paid meanwhile', async () => {
  const { ken, mia, tim, at } = await aDojo()
  const now = await at('2027-02-20T15:00:00Z')
  await now.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  await now.post('/payment-records', {
    student_id: ken.id,
    payment_month: 1,
    payment_year: 2027,
    payment_status: 'paid',
  })
  for (const student of [ken, tim]) {
    const refusalOf = await now.post('/late-fees', {
      ...FEBRUARY,
      student_ids: [mia.id, student.id],
    })
    expect([refusalOf.status, refusalOf.body.detail]).toEqual([
      409,
      'The list has changed. Nobody was charged. Please check it again.',
    ])
  }
  expect(await due(now)).toEqual(['Mia Brown: 15 of 100, 19 days'])
})

test('does not charge a forgiven late fee again', async () => {
  const { ken, at } = await aDojo()
  const now = await at('2027-02-20T15:00:00Z')
  await now.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  await now.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })
  const { charges } = (await now.get(`/students/${ken.id}/account`)).body
  const fee = charges.find(({ kind }: { kind: string }) => kind === 'late_fee')
  expect((await now.post(`/charges/${fee.id}/write-off`, {})).status).toBe(200)
  expect(await due(now)).toEqual(['Mia Brown: 15 of 100, 19 days'])
})

test('charges once for two requests at the same time', async () => {
  const { ken, at } = await aDojo()
  const now = await at('2027-02-20T15:00:00Z')
  await now.put('/late-fee-rule', { grace_days: 5, amount: 15 })
  const answers = await Promise.all(
    [1, 2, 3].map(() => now.post('/late-fees', { ...FEBRUARY, student_ids: [ken.id] })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})
