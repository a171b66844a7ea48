import pg from 'pg'
import { expect, test } from 'vitest'
import { createLedgerDojo, MARCH } from '../test/ledger-dojo.ts'
import { expectConsistentPayments } from '../test/reconcile.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const MILLION = 1_000_000
/** Enough charges of a million dollars to exceed a 32-bit integer in cents. */
const CHARGE_COUNT = 22

type TestResponse = { status: number; body: { detail?: string } }
const failuresIn = (responses: Record<string, TestResponse>) =>
  Object.entries(responses)
    .filter(([, { status }]) => status !== 200)
    .map(([path, { status, body }]) => [path, status, body.detail])

/** Each of the two students also owes a monthly fee of $100. */
async function createDojoOwingMillions() {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Ken Adams', date_of_birth: '1990-01-01' },
    {},
  )
  for (let number = 0; number < CHARGE_COUNT; number += 1) await dojo.charge(MILLION)
  return dojo
}

test('adds up more than 2³¹ cents in every endpoint about money', async () => {
  const dojo = await createDojoOwingMillions()
  const [id, month] = [dojo.id(), 'month=2&year=2027']
  const paths = [
    '/payment-balances',
    `/payment-balances?${month}`,
    `/students/${id}`,
    `/students/${id}/account`,
    `/students/${id}/deletion-impact`,
    '/owing',
    `/payment-statistics?${month}`,
    `/payment-records?${month}`,
    '/payment-figures?from=2027-03&to=2027-03',
    `/statements?year=2027&student_id=${id}`,
    '/cash-counts',
    `/late-fees/preview?${month}`,
    '/dashboard/stats',
    '/dashboard/analytics',
    '/belts/ready',
  ]
  await dojo.put('/late-fee-rule', { grace_days: 1, percent: 100 })
  const responses: Record<string, TestResponse> = {}
  for (const path of paths) responses[path] = await dojo.get(path)
  const days = { from: '2027-01-01', to: '2027-12-31' }
  responses.bookkeeping = await dojo.post('/export/bookkeeping', { format: 'xero', ...days })
  responses.everything = await dojo.post('/export')
  expect(failuresIn(responses)).toEqual([])
  expect(await dojo.balances()).toContainEqual({
    student_id: id,
    owed: CHARGE_COUNT * MILLION + 100,
    credit: 0,
    owed_since: '2027-03-10',
  })
  expect((await dojo.account()).balance).toBe(CHARGE_COUNT * MILLION + 100)
})

test('texts a large balance, and shows it in the history', async () => {
  const dojo = await createDojoOwingMillions()
  const sentReply = await dojo.post('/sms/send-bulk-message', {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, you owe {amount}.',
    amount_of: 'balance',
    selected_students: [dojo.id()],
  })
  expect([sentReply.status, sentReply.body.success_count]).toEqual([200, 1])
  const { rows } = await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
    tx.execute('select text, amount::text from messages'),
  )
  expect(rows).toEqual([{ text: 'Hi Ken, you owe $22,000,100.00.', amount: '2200010000' }])
})

test('ends a month with credit and debts above 2³¹ cents', async () => {
  const dojo = await createDojoOwingMillions()
  for (let number = 0; number < CHARGE_COUNT; number += 1)
    await dojo.pay(MILLION, { method: 'cash' }, 1)
  expect(await dojo.balances()).toContainEqual({
    student_id: dojo.id(1),
    owed: 0,
    credit: CHARGE_COUNT * MILLION - 100,
    owed_since: null,
  })
  const cash = CHARGE_COUNT * MILLION
  expect((await dojo.get('/cash-counts')).body.expected_cash).toBe(cash)
  const countedReply = await dojo.put('/cash-counts/2027-03-10', { counted: MILLION })
  expect(countedReply.body.count).toMatchObject({ expected: cash, difference: MILLION - cash })
  await dojo.moveClockTo('2027-04-02T18:00:00Z')
  expect(await dojo.balances()).toContainEqual({
    student_id: dojo.id(1),
    owed: 0,
    credit: cash - 200,
    owed_since: null,
  })
  expect((await dojo.account(0)).balance).toBe(CHARGE_COUNT * MILLION + 200)
  const overseer = new pg.Client({ connectionString: server.adminUrl })
  await overseer.connect()
  await expectConsistentPayments(overseer, dojo.sensei.dojoId, dojo)
  await overseer.end()
})

test('takes one payment for a large family, with one receipt', async () => {
  const feeForms = Array.from({ length: CHARGE_COUNT }, () => ({ monthly_payment_amount: MILLION }))
  const dojo = await createLedgerDojo(server, ...feeForms)
  const students = feeForms.map((_, index) => ({ student_id: dojo.id(index), pays: true }))
  const { id: payer } = await server.createGuardian(dojo.sensei, [])
  for (const { student_id } of students)
    await dojo.put(`/guardians/${payer}/students/${student_id}`, { pays: true })
  const marks = students.map(({ student_id }) => ({
    student_id,
    payment_month: MARCH,
    payment_year: 2027,
    payment_status: 'paid',
  }))
  const paidReply = await dojo.post('/payment-records/marks', { marks, method: 'cash' })
  expect([paidReply.status, paidReply.body.total]).toEqual([200, CHARGE_COUNT * MILLION])
  const receipt = await dojo.post('/receipts', { act_id: paidReply.body.act_id })
  expect([receipt.status, receipt.body.total]).toEqual([200, CHARGE_COUNT * MILLION])
  const receiptList = await dojo.get('/receipts')
  expect(receiptList.body).toMatchObject([{ total: CHARGE_COUNT * MILLION }])
  const statement = await dojo.get(`/statements?year=2027&payer_id=${payer}`)
  expect(statement.body).toMatchObject({ closing: 0, paid: [{ amount: CHARGE_COUNT * MILLION }] })
  expect((await dojo.undo(paidReply)).body).toMatchObject({ total: 0 - CHARGE_COUNT * MILLION })
})

test('refuses a single amount above a million dollars', async () => {
  const dojo = await createLedgerDojo(server, {})
  for (const refusal of [
    await dojo.charge(MILLION + 1),
    await dojo.pay(3 * MILLION),
    await dojo.mark('paid', { monthly_payment_amount: 22 * MILLION }),
  ]) {
    expect(refusal.status).toBe(422)
    expect(refusal.body.detail).toMatch(/ must be at most 1,000,000$/)
  }
})
