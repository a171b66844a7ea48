import { toCents, toDollars } from '@tatami/contract/lib/money'
import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const throwError = (error: unknown) => {
  throw error
}
const runJobs = () => runDueJobs(server.db, throwError)

type Student = { id: string; name: string }
type Family = {
  payer: { name: string } | null
  students: { name: string; owed: number; since: string }[]
  total: number
  since: string
}

/** Rosa pays for Ana and Leo. Ken has no payer. Tim is on trial. */
async function createDojo() {
  setClock('2027-01-10T15:00:00Z')
  const sensei = await server.createSensei()
  const enroll = (name: string, monthly_payment_amount: number, changes: object = {}) =>
    server.createStudent(sensei, { name, monthly_payment_amount, ...changes })
  const ken = await enroll('Ken Adams', 90),
    ana = await enroll('Ana Diaz', 100),
    leo = await enroll('Leo Diaz', 80),
    tim = await enroll('Tim Ward', 70, { is_trial: true })
  const links = [ana, leo].map(({ id }) => ({ student_id: id, pays: true, sees_fees: true }))
  await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: links,
  })
  await runJobs()
  /** A session expires after some days, so each jump in time signs in again. */
  const signInAt = async (iso: string) => {
    setClock(iso)
    await runJobs()
    return server.signIn(sensei.email)
  }
  return { sensei, ken, ana, leo, tim, signInAt }
}
const markBody = (student: Student, payment_month: number, payment_status = 'paid') => ({
  student_id: student.id,
  payment_month,
  payment_year: 2027,
  payment_status,
})
const summarize = (families: Family[]) =>
  families.map(
    ({ payer, students, total, since }) =>
      `${payer?.name ?? students[0]!.name} ${total} since ${since}`,
  )

test('lists no families in a dojo without students', async () => {
  expect((await (await server.createSensei()).get('/owing')).body).toEqual([])
})

test('lists families with all their debts, longest owed first', async () => {
  const { ken, ana, signInAt } = await createDojo()
  let client = await signInAt('2027-01-20T15:00:00Z')
  expect(summarize((await client.get('/owing')).body)).toEqual([
    'Rosa Diaz 180 since 2027-01-10',
    'Ken Adams 90 since 2027-01-10',
  ])
  await client.post('/payment-records', markBody(ken, 0))
  client = await signInAt('2027-02-10T15:00:00Z')
  const { body } = await client.get('/owing')
  expect(summarize(body)).toEqual([
    'Rosa Diaz 360 since 2027-01-10',
    'Ken Adams 90 since 2027-02-01',
  ])
  expect(
    body[0].students.map(({ name, owed, since }: Family['students'][number]) => [
      name,
      owed,
      since,
    ]),
  ).toEqual([
    ['Ana Diaz', 200, '2027-01-10'],
    ['Leo Diaz', 160, '2027-01-10'],
  ])
  await client.post('/payment-records', markBody(ana, 0))
  await client.post('/payment-records', markBody(ana, 1))
  expect(summarize((await client.get('/owing')).body)).toEqual([
    'Rosa Diaz 160 since 2027-01-10',
    'Ken Adams 90 since 2027-02-01',
  ])
})

test('says when each charge of a family became due', async () => {
  const { signInAt } = await createDojo()
  const client = await signInAt('2027-02-10T15:00:00Z')
  const [rosa] = (await client.get('/owing')).body
  expect(rosa.charges).toEqual([
    { due_on: '2027-01-10', owed: 100 },
    { due_on: '2027-01-10', owed: 80 },
    { due_on: '2027-02-01', owed: 100 },
    { due_on: '2027-02-01', owed: 80 },
  ])
})

test('adds up to the balances, with late fees and with promises', async () => {
  const { ken, ana, leo, signInAt } = await createDojo()
  const client = await signInAt('2027-02-10T15:00:00Z')
  const sums = async () => {
    const sum = (amounts: number[]) =>
      toDollars(amounts.reduce((cents, amount) => cents + toCents(amount), 0))
    const families: Family[] = (await client.get('/owing')).body
    const balances: { owed: number }[] = (await client.get('/payment-balances')).body
    return [
      sum(families.map(({ total }) => total)),
      sum(families.flatMap(({ students }) => students.map(({ owed }) => owed))),
      sum(balances.map(({ owed }) => owed)),
    ]
  }
  expect(await sums()).toEqual([540, 540, 540])
  await client.post('/payment-promises', {
    student_ids: [ana.id, leo.id],
    promised_on: '2027-02-20',
    note: 'Pay day',
  })
  expect(await sums()).toEqual([540, 540, 540])
  await client.put('/late-fee-rule', { grace_days: 5, amount: 12.5 })
  const { body } = await client.post('/late-fees', { month: 0, year: 2027, student_ids: [ken.id] })
  expect(await sums()).toEqual([552.5, 552.5, 552.5])
  await client.post('/payments', { student_id: leo.id, amount: 33.33 })
  expect(await sums()).toEqual([519.17, 519.17, 519.17])
  await client.post(`/ledger-acts/${body.act_id}/undo`)
  expect(await sums()).toEqual([506.67, 506.67, 506.67])
})

test('does not let one child’s credit pay for another', async () => {
  const { ana, signInAt } = await createDojo()
  const client = await signInAt('2027-01-20T15:00:00Z')
  await client.post('/payments', { student_id: ana.id, amount: 500 })
  expect(summarize((await client.get('/owing')).body)).toEqual([
    'Ken Adams 90 since 2027-01-10',
    'Rosa Diaz 80 since 2027-01-10',
  ])
})
