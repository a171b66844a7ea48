import type { Account, LedgerLine } from '@tatami/contract/ledger/ledger'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const MARCH = { month: 2, year: 2027 }
const ADDED_TAX = { percent: 8.25, is_added: true, starts_on: '2027-01-01', ends_on: null }
const INCLUDED_TAX = { ...ADDED_TAX, is_added: false }

async function createDojo(...taxes: object[]) {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const mia = await server.createStudent(sensei, {
    name: 'Mia Diaz',
    monthly_payment_amount: 75.15,
  })
  if (taxes.length > 0) await sensei.put('/sales-taxes', { taxes })
  const readAccount = async () => (await sensei.get(`/students/${mia.id}/account`)).body as Account
  const readLines = async () =>
    (await readAccount()).lines
      .toReversed()
      .map(({ kind, amount, tax }: LedgerLine) => [kind, amount, tax])
  const markPaid = (monthly_payment_amount?: number) =>
    sensei.post('/payment-records', {
      student_id: mia.id,
      payment_month: MARCH.month,
      payment_year: MARCH.year,
      payment_status: 'paid',
      monthly_payment_amount,
    })
  const charge = (amount: number, kind = 'equipment') =>
    sensei.post('/charges', { student_ids: [mia.id], kind, amount })
  const readSalesTax = async () =>
    (await sensei.get('/payment-figures?from=2027-03&to=2027-03')).body.sales_tax
  return { sensei, mia, readAccount, readLines, markPaid, charge, readSalesTax }
}

test('has no tax until the owner sets one, and none after it is removed', async () => {
  const { sensei, charge, readLines } = await createDojo()
  expect((await sensei.get('/sales-taxes')).body).toEqual({ taxes: [] })
  await charge(100)
  const tax = { kind: 'equipment', ...INCLUDED_TAX }
  expect((await sensei.put('/sales-taxes', { taxes: [tax] })).body).toEqual({ taxes: [tax] })
  expect((await sensei.get('/sales-taxes')).body).toEqual({ taxes: [tax] })
  await charge(108.25)
  await sensei.put('/sales-taxes', { taxes: [] })
  await charge(100)
  expect(await readLines()).toEqual([
    ['charge', 100, null],
    ['charge', 108.25, 8.25],
    ['charge', 100, null],
  ])
})

test('adds the tax to the price of a month, but not to the fee', async () => {
  const { sensei, mia, readAccount } = await createDojo({ kind: 'month', ...ADDED_TAX })
  const account = await readAccount()
  expect(account.balance).toBe(81.35)
  expect(account.charges).toMatchObject([
    { amount: 81.35, owed: 81.35, tax: 6.2, tax_percent: 8.25 },
  ])
  expect((await sensei.get(`/month-dues?month=2&year=2027`)).body).toMatchObject([
    { student_id: mia.id, cost: 81.35, owed: 81.35 },
  ])
  const { body: students } = await sensei.get('/students')
  expect(students).toMatchObject([{ monthly_payment_amount: 75.15 }])
})

test('a record’s amount is what was paid, including the tax', async () => {
  const { markPaid, readLines, sensei } = await createDojo({ kind: 'month', ...ADDED_TAX })
  expect((await markPaid()).body.monthly_payment_amount).toBe(81.35)
  expect(await readLines()).toEqual([
    ['charge', 81.35, 6.2],
    ['payment', -81.35, -6.2],
  ])
  const { body } = await sensei.get('/payment-statistics?month=2&year=2027')
  expect(body).toMatchObject({ monthly_revenue: 81.35, total_paid_this_month: 1 })
})

test('marking the fee or the whole price as paid pays the month with its tax', async () => {
  for (const amount of [75.15, 81.35]) {
    const { markPaid } = await createDojo({ kind: 'month', ...ADDED_TAX })
    expect((await markPaid(amount)).body.monthly_payment_amount).toBe(81.35)
  }
})

test('another amount becomes the price of the month, and includes the tax', async () => {
  const { markPaid, readLines } = await createDojo({ kind: 'month', ...ADDED_TAX })
  expect((await markPaid(54.12)).body.monthly_payment_amount).toBe(54.12)
  expect(await readLines()).toEqual([
    ['charge', 54.12, 4.12],
    ['payment', -54.12, -4.12],
  ])
})

test('an included tax changes no price', async () => {
  const { readAccount, markPaid, readLines } = await createDojo({ kind: 'month', ...INCLUDED_TAX })
  expect((await readAccount()).charges).toMatchObject([{ amount: 75.15, owed: 75.15, tax: 5.73 }])
  expect((await markPaid()).body.monthly_payment_amount).toBe(75.15)
  expect(await readLines()).toEqual([
    ['charge', 75.15, 5.73],
    ['payment', -75.15, -5.73],
  ])
})

test('splits the tax between partial payments, a refund and what is forgiven', async () => {
  const { sensei, mia, charge, readAccount, readLines, readSalesTax } = await createDojo({
    kind: 'equipment',
    ...INCLUDED_TAX,
  })
  await charge(100)
  const charge_id = (await readAccount()).charges.find(({ kind }) => kind === 'equipment')?.id
  const pay = (amount: number) =>
    sensei.post('/payments', { student_id: mia.id, amount, charge_id })
  await pay(33.33)
  await pay(33.33)
  await sensei.post('/refunds', { student_id: mia.id, amount: 20, charge_id })
  await sensei.post(`/charges/${charge_id}/write-off`, {})
  const lines = await readLines()
  expect(lines).toEqual([
    ['charge', 100, 7.62],
    ['payment', -33.33, -2.54],
    ['payment', -33.33, -2.54],
    ['refund', 20, 1.52],
    ['write_off', -53.34, -4.06],
  ])
  expect(await readSalesTax()).toEqual([{ month: '2027-03-01', percent: 8.25, collected: 3.56 }])
})

test('undo takes the tax back, and undoing the undo restores it', async () => {
  const { sensei, markPaid, readSalesTax } = await createDojo({ kind: 'month', ...ADDED_TAX })
  const { act_id } = (await markPaid()).body
  const undo = (await sensei.post(`/ledger-acts/${act_id}/undo`)).body
  expect(await readSalesTax()).toEqual([])
  await sensei.put('/sales-taxes', { taxes: [{ kind: 'month', ...ADDED_TAX, percent: 10 }] })
  await sensei.post(`/ledger-acts/${undo.act_id}/undo`)
  expect(await readSalesTax()).toEqual([{ month: '2027-03-01', percent: 8.25, collected: 6.2 }])
})

test('credit is taxed when it pays a charge', async () => {
  const { sensei, mia, charge, readSalesTax } = await createDojo({
    kind: 'equipment',
    ...ADDED_TAX,
  })
  await sensei.post('/payments', { student_id: mia.id, amount: 175.15 })
  expect(await readSalesTax()).toEqual([])
  await charge(80)
  expect(await readSalesTax()).toEqual([{ month: '2027-03-01', percent: 8.25, collected: 6.6 }])
})

test('the day on which a charge is due decides which tax applies', async () => {
  const { sensei, mia, readLines } = await createDojo(
    { kind: 'other', ...ADDED_TAX, ends_on: '2027-02-28' },
    { kind: 'other', ...ADDED_TAX, percent: 10, starts_on: '2027-03-01' },
  )
  for (const charged_on of ['2026-12-31', '2027-02-28', '2027-03-01'])
    await sensei.post('/charges', { student_ids: [mia.id], kind: 'other', amount: 10, charged_on })
  expect(await readLines()).toEqual([
    ['charge', 10, null],
    ['charge', 10.83, 0.83],
    ['charge', 11, 1],
  ])
})

test('receipts and statements say how much of each amount is tax', async () => {
  const { sensei, mia, markPaid } = await createDojo({ kind: 'month', ...ADDED_TAX })
  const { act_id } = (await markPaid()).body
  const receipt = (await sensei.post('/receipts', { act_id })).body
  expect(receipt).toMatchObject({ total: 81.35, lines: [{ tax: 6.2, tax_percent: 8.25 }] })
  const statement = (await sensei.get(`/statements?year=2027&student_id=${mia.id}`)).body
  expect(statement.lines).toMatchObject([
    { line: 'charge', amount: 81.35, tax: 6.2 },
    { line: 'payment', amount: -81.35, tax: -6.2 },
  ])
})

test('a late fee includes its tax', async () => {
  const { sensei, mia } = await createDojo({ kind: 'late_fee', ...ADDED_TAX })
  await sensei.put('/late-fee-rule', { grace_days: 0, amount: 10 })
  setClock('2027-03-20T18:00:00Z')
  const { body } = await sensei.get('/late-fees/preview?month=2&year=2027')
  expect(body).toMatchObject([{ student_id: mia.id, fee: 10.83 }])
  const lateFees = await sensei.post('/late-fees', { ...MARCH, student_ids: [mia.id] })
  expect(lateFees.body.total).toBe(10.83)
})
