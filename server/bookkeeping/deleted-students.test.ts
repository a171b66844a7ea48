import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { signInAs } from '../test/fixtures.ts'
import { createLedgerDojo, FEBRUARY, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

type Row = Record<string, string>
type Dojo = Awaited<ReturnType<typeof createLedgerDojo>>

/** Creates a dojo with three students who paid for February, March and other charges. */
async function createDojoWithBooks() {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Kenneth Unforgettable' },
    { name: 'Mia Diaz' },
    { name: 'Leo Diaz' },
  )
  const { id: class_id } = await server.createClass(dojo.sensei)
  await dojo.post(`/students/${dojo.id()}/enroll/${class_id}`)
  for (const index of [0, 1, 2]) {
    await dojo.mark('paid', { payment_month: FEBRUARY }, index)
    await dojo.pay(100, { method: 'cash', note: 'Kenneth brought it' }, index)
  }
  const uniform = await dojo.charge(45.5, { note: 'A uniform for Kenneth' })
  await dojo.pay(60, { method: 'transfer' })
  await dojo.post('/refunds', { student_id: dojo.id(), amount: 4.5, method: 'cash' })
  await dojo.put('/cash-counts/2027-03-10', { counted: 290 })
  const { body: payment } = await dojo.pay(10, { method: 'card' })
  await dojo.post('/receipts', { act_id: payment.act_id })
  return { ...dojo, class_id, uniform }
}

const downloadFile = async (dojo: Dojo, format: 'quickbooks' | 'xero') =>
  String(
    (await dojo.post('/export/bookkeeping', { format, from: '2027-01-01', to: '2027-12-31' })).body,
  )

/** Returns the dates, amounts and receipt numbers in a bookkeeping file. */
function parseAmounts(file: string) {
  const { data } = Papa.parse<Row>(file, { header: true, skipEmptyLines: true })
  return data.map((row) => [
    row['Date'] ?? row['*Date'],
    row['Amount'] ?? row['*Amount'],
    row['Reference'],
  ])
}

type Figures = { classes: { expected: number; received: number }[] }
const sumClasses = ({ classes }: Figures) => [
  classes.reduce((sum, { expected }) => sum + expected, 0),
  classes.reduce((sum, { received }) => sum + received, 0),
]

/** Reads all amounts that the dojo's endpoints show, without names. */
async function readBooks(dojo: Dojo) {
  const revenues = []
  for (const month of [FEBRUARY, MARCH])
    revenues.push((await dojo.statistics(month)).monthly_revenue)
  const figures = (await dojo.get('/payment-figures?from=2027-01&to=2027-04')).body
  const analytics = (await dojo.get('/dashboard/analytics')).body
  const receipts = (await dojo.get('/receipts')).body as { number: string; total: number }[]
  return {
    revenues,
    months: figures.months,
    methods: figures.methods,
    classes: sumClasses(figures),
    received: analytics.payments.map(({ received }: { received: number }) => received),
    cash: (await dojo.get('/cash-counts?date=2027-03-10')).body,
    quickbooks: parseAmounts(await downloadFile(dojo, 'quickbooks')),
    xero: parseAmounts(await downloadFile(dojo, 'xero')),
    receipts: receipts.map(({ number, total }) => [number, total]),
  }
}

describe('deleting a student', () => {
  test('does not change revenue, figures, cash counts or bookkeeping files', async () => {
    const dojo = await createDojoWithBooks()
    const originalBooks = await readBooks(dojo)
    expect(originalBooks.revenues).toEqual([300, 300])
    expect(originalBooks.quickbooks).toHaveLength(10) // nine payments and a refund
    await server.clientFor(dojo.sensei.token).delete(`/students/${dojo.id()}`)
    expect(await readBooks(dojo)).toEqual(originalBooks)
    await dojo.moveClockTo('2027-05-03T18:00:00Z')
    expect((await readBooks(dojo)).revenues).toEqual(originalBooks.revenues)
  })

  test('leaves no name and no note in the books', async () => {
    const dojo = await createDojoWithBooks()
    await server.clientFor(dojo.sensei.token).delete(`/students/${dojo.id()}`)
    for (const format of ['quickbooks', 'xero'] as const) {
      const file = await downloadFile(dojo, format)
      expect(file).not.toMatch(/Unforgettable|uniform/i)
      expect(file).toContain('Deleted student')
    }
    const { rows } = await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute(`select note from ledger_lines where student_id is null and note is not null
        union all select note from charges where student_id is null and note is not null`),
    )
    expect(rows).toEqual([])
  })

  test('writes off debts, and keeps the money received', async () => {
    const dojo = await createLedgerDojo(server, { name: 'Ken Adams' }, { name: 'Mia Diaz' })
    const client = server.clientFor(dojo.sensei.token)
    await dojo.pay(30, { method: 'cash' })
    await dojo.charge(45.5)
    expect((await client.get(`/students/${dojo.id()}/deletion-impact`)).body).toMatchObject({
      owed: 115.5,
      credit: 0,
    })
    const readFigures = async () =>
      (await dojo.get('/payment-figures?from=2027-03&to=2027-03')).body.months
    expect(await readFigures()).toEqual([
      { month: '2027-03-01', expected: 245.5, received: 30, owed: 215.5, written_off: 0 },
    ])
    await client.delete(`/students/${dojo.id()}`)
    expect(await readFigures()).toEqual([
      { month: '2027-03-01', expected: 245.5, received: 30, owed: 100, written_off: 115.5 },
    ])
    expect(await dojo.balances()).toEqual([
      { student_id: dojo.id(1), owed: 100, credit: 0, owed_since: '2027-03-10' },
    ])
  })

  test('previews the student’s credit, which stays in the books', async () => {
    const dojo = await createLedgerDojo(server, {}, {})
    const client = server.clientFor(dojo.sensei.token)
    await dojo.pay(150, { method: 'cash' })
    expect((await client.get(`/students/${dojo.id()}/deletion-impact`)).body).toMatchObject({
      owed: 0,
      credit: 50,
    })
    await client.delete(`/students/${dojo.id()}`)
    await dojo.moveClockTo('2027-04-02T18:00:00Z')
    expect(await dojo.balances()).toEqual([
      { student_id: dojo.id(1), owed: 200, credit: 0, owed_since: '2027-03-10' },
    ])
    expect((await dojo.get('/cash-counts?date=2027-03-10')).body.expected_cash).toBe(150)
  })

  test('allows undoing an act only if it also paid for another student', async () => {
    const dojo = await createLedgerDojo(server, {}, {})
    const client = server.clientFor(dojo.sensei.token)
    const month = { payment_month: MARCH, payment_year: 2027, payment_status: 'paid' }
    const jointAct = await dojo.post('/payment-records/marks', {
      marks: [0, 1].map((index) => ({ ...month, student_id: dojo.id(index) })),
      method: 'cash',
    })
    const soloPayment = await dojo.pay(20)
    await client.delete(`/students/${dojo.id()}`)
    expect((await dojo.undo(jointAct)).body).toMatchObject({ total: -100 })
    expect((await dojo.undo(jointAct)).status).toBe(409)
    expect((await dojo.undo(soloPayment)).body.detail).toBe('Act not found')
    expect((await dojo.post('/receipts', { act_id: soloPayment.body.act_id })).status).toBe(404)
    expect(await dojo.statistics()).toMatchObject({
      total_yet_to_pay: 1,
      monthly_revenue: 100,
      revenue_of_deleted_students: 100,
    })
  })

  test('leaves the payer with only the sibling’s debts', async () => {
    const dojo = await createLedgerDojo(server, { name: 'Leo Diaz' }, { name: 'Mia Diaz' })
    const client = server.clientFor(dojo.sensei.token)
    const rosa = await server.createGuardian(dojo.sensei, [], {
      name: 'Rosa Diaz',
      students: [0, 1].map((index) => ({ student_id: dojo.id(index), pays: true })),
    })
    await client.put('/late-fee-rule', { grace_days: 1, amount: 10 })
    await dojo.post('/late-fees', { month: MARCH, year: 2027, student_ids: [dojo.id()] })
    await dojo.charge(20)
    await dojo.post('/payment-promises', { student_ids: [dojo.id()], promised_on: '2027-03-20' })
    await client.delete(`/students/${dojo.id()}`)
    const responses = [
      await dojo.get('/payment-balances'),
      await dojo.get('/owing'),
      await dojo.get('/payment-records?month=2&year=2027'),
      await dojo.get('/late-fees/preview?month=2&year=2027'),
      await dojo.get('/payment-promises'),
      await dojo.get(`/statements?year=2027&payer_id=${rosa.id}`),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toMatch(/"student_id":null|Leo/)
    expect(responses[1]?.body).toMatchObject([{ total: 100, students: [{ name: 'Mia Diaz' }] }])
    expect(responses[5]?.body).toMatchObject({ closing: 100 })
  })

  test('expects no money from students whose import was undone', async () => {
    const dojo = await createLedgerDojo(server)
    await dojo.moveClockTo('2027-03-31T18:00:00Z')
    const client = server.clientFor(await signInAs(server.db, dojo.sensei.id))
    const sheet = {
      columns: ['name', 'monthly_payment_amount'],
      rows: [['Ann Import', '80']],
      classes: [],
      paid_through: '2027-02',
    }
    const importReply = await client.post('/student-imports', sheet)
    expect(importReply.status).toBe(200)
    await dojo.moveClockTo('2027-04-01T07:00:00Z')
    const readFigures = async () =>
      (await dojo.get('/payment-figures?from=2027-03&to=2027-03')).body.months
    expect(await readFigures()).toMatchObject([{ expected: 80, owed: 80 }])
    const undoReply = await dojo.post(`/student-imports/${importReply.body.import.id}/undo`)
    expect([undoReply.status, undoReply.body.students]).toEqual([200, 1])
    expect(await readFigures()).toMatchObject([{ expected: 0, owed: 0, written_off: 0 }])
  })
})
