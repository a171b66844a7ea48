import { toCents } from '@tatami/contract/lib/money'
import type { CashDay } from '@tatami/contract/bookkeeping/cash-counts'
import type { Balance } from '@tatami/contract/ledger/ledger'
import type { PaymentFigures } from '@tatami/contract/dues/payment-figures'
import type { Receipt } from '@tatami/contract/bookkeeping/receipts'
import type { Statement } from '@tatami/contract/bookkeeping/statements'
import { sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { dojoIdOf, signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

type Sensei = Awaited<ReturnType<typeof server.createSensei>>

/** Creates three siblings with the same payer, and two other students. */
async function createStudents(sensei: Sensei) {
  const kids = await server.createClass(sensei, { class_name: 'Kids Judo' })
  const adults = await server.createClass(sensei, { class_name: 'Adults' })
  const openMat = await server.createClass(sensei, { class_name: 'Open Mat' })
  const createStudent = (name: string, fee: number, classes: { id: string }[] = []) =>
    server.createStudent(sensei, {
      name,
      monthly_payment_amount: fee,
      enrolled_classes: classes.map(({ id }) => id),
    })
  const students = {
    mia: await createStudent('Mia Diaz', 100.01, [kids, adults, openMat]),
    leo: await createStudent('Leo Diaz', 80, [kids]),
    ana: await createStudent('Ana Diaz', 60),
    ken: await createStudent('Ken Adams', 85.5, [adults]),
    ben: await createStudent('Ben Moss', 70, [kids, openMat]),
  }
  const siblings = [students.mia, students.leo, students.ana]
  const rosa = await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    students: siblings.map(({ id }) => ({ student_id: id, pays: true })),
  })
  return { students, rosa }
}

/** Returns a client of the sensei that issues a receipt for each payment it posts. */
function createBookkeeper(sensei: Sensei) {
  let client = server.clientFor(sensei.token)
  const issuedReceipts: Receipt[] = []
  const moveClockTo = async (moment: string) => {
    setClock(moment)
    await runDueJobs(server.db, (error) => expect(error).toBeUndefined())
    client = server.clientFor(await signInAs(server.db, sensei.id))
  }
  const post = async (path: string, body: object = {}) => {
    const reply = await client.post(path, body)
    expect([path, reply.status, reply.body.detail]).toEqual([path, 200, undefined])
    const receipt = await client.post('/receipts', { act_id: reply.body.act_id })
    if (receipt.status === 200) issuedReceipts.push(receipt.body)
    else
      expect([receipt.status, receipt.body.detail]).toEqual([
        409,
        expect.stringMatching(/no receipt/),
      ])
    return reply.body.act_id as string
  }
  const get = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await client.get(path)
    expect([path, status]).toEqual([path, 200])
    return body
  }
  return { client: () => client, issuedReceipts, moveClockTo, post, get }
}

type Bookkeeper = ReturnType<typeof createBookkeeper>
type Students = Awaited<ReturnType<typeof createStudents>>['students']

const createMonthMark = ({ id }: { id: string }, month: number, year: number) => ({
  student_id: id,
  payment_month: month,
  payment_year: year,
  payment_status: 'paid',
})

async function recordYear2025({ moveClockTo, post }: Bookkeeper, students: Students) {
  const { mia, leo, ana, ken, ben } = students
  await moveClockTo('2025-11-10T18:00:00Z')
  await post('/payment-records/marks', {
    marks: [mia, leo, ana].map((student) => createMonthMark(student, 10, 2025)),
    method: 'cash',
  })
  await post('/payments', { student_id: ken.id, amount: 200, method: 'cheque' })
  await moveClockTo('2025-12-01T12:00:00Z')
  await moveClockTo('2025-12-20T18:00:00Z')
  await post('/payments', { student_id: mia.id, amount: 50.5, method: 'transfer' })
  await post('/charges', {
    student_ids: [leo.id, ben.id],
    kind: 'grading',
    amount: 30,
    note: 'yellow belt',
  })
}

async function recordYear2026({ moveClockTo, post, get }: Bookkeeper, students: Students) {
  const { mia, leo, ana, ken, ben } = students
  await moveClockTo('2026-01-01T12:00:00Z')
  await moveClockTo('2026-01-15T18:00:00Z')
  await post('/payments', { student_id: ben.id, amount: 30, method: 'cash' })
  await post('/payment-records', createMonthMark(leo, 11, 2025))
  const mistakenPayment = { student_id: ana.id, amount: 60, method: 'card' }
  const mistakenActId = await post('/payments', mistakenPayment)
  await moveClockTo('2026-02-01T12:00:00Z')
  await moveClockTo('2026-02-03T18:00:00Z')
  const undoActId = await post(`/ledger-acts/${mistakenActId}/undo`)
  await post(`/ledger-acts/${undoActId}/undo`)
  const undonePayment = { student_id: ken.id, amount: 300, method: 'card' }
  await post(`/ledger-acts/${await post('/payments', undonePayment)}/undo`)
  type Charge = { id: string; kind: string; owed: number }
  const { charges } = await get<{ charges: Charge[] }>(`/students/${leo.id}/account`)
  const gradingFee = charges.find(({ kind, owed }) => kind === 'grading' && owed > 0)
  await post(`/charges/${gradingFee?.id}/write-off`)
  await moveClockTo('2026-03-01T12:00:00Z')
  await moveClockTo('2026-03-05T18:00:00Z')
  await post('/payments', { student_id: mia.id, amount: 400, method: 'cash' })
  await post('/refunds', { student_id: mia.id, amount: 20.25, method: 'cash' })
  await post('/payment-records', createMonthMark(ken, 2, 2026))
  await post('/reset-monthly-payments', { payment_month: 2, payment_year: 2026 })
  await post('/payment-records', createMonthMark(ben, 2, 2026))
}

/** Creates a dojo with five students, and its ledger from November to March. */
async function createDojo() {
  setClock('2025-11-10T18:00:00Z')
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const { students, rosa } = await createStudents(sensei)
  const bookkeeper = createBookkeeper(sensei)
  await recordYear2025(bookkeeper, students)
  await recordYear2026(bookkeeper, students)
  /** Sums ledger lines, in cents. */
  const sumLedger = async (condition: string) => {
    const { rows } = await server.db.inDojo(dojoId, (tx) =>
      tx.execute<{ cents: number }>(
        sql.raw(
          `select coalesce(sum(amount), 0)::float8 as cents from ledger_lines where ${condition}`,
        ),
      ),
    )
    return rows[0]!.cents
  }
  return { ...bookkeeper, dojoId, students, rosa, sumLedger }
}

const sumCents = (amounts: number[]) => amounts.reduce((sum, amount) => sum + toCents(amount), 0)
let dojoPromise: ReturnType<typeof createDojo> | undefined
/** The tests share one dojo, which the first test creates. */
const getSharedDojo = () => (dojoPromise ??= createDojo())

describe('amounts on the screens match the ledger', () => {
  test('receipts list the payments of their acts that were not undone', async () => {
    const { dojoId, issuedReceipts, sumLedger, get } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    expect(issuedReceipts.length).toBeGreaterThan(5)
    for (const receipt of issuedReceipts) {
      const { rows } = await server.db.inDojo(dojoId, (tx) =>
        tx.execute<{ id: string }>(
          sql`select id from ledger_lines where act_id = ${receipt.act_id} and kind = 'payment'`,
        ),
      )
      expect(sumCents(receipt.lines.map(({ amount }) => amount))).toBe(
        0 - (await sumLedger(`kind = 'payment' and act_id = '${receipt.act_id}'`)),
      )
      expect([receipt.lines.length, sumCents([receipt.total])]).toEqual([
        rows.length,
        sumCents(receipt.lines.map(({ amount }) => amount)),
      ])
    }
    const receiptRows = await get<Receipt[]>('/receipts')
    expect(receiptRows.map(({ number }) => number)).toEqual(
      issuedReceipts.map(({ number }) => number).toReversed(),
    )
    // The receipt lines that were not undone add up to the payments in the ledger.
    const validLines = receiptRows
      .flatMap(({ lines }) => lines)
      .filter(({ taken_back_on }) => taken_back_on === null)
    expect(sumCents(validLines.map(({ amount }) => amount))).toBe(
      0 - (await sumLedger(`kind = 'payment'`)),
    )
  })

  test('figures by month, method and class add up to the ledger', async () => {
    const { sumLedger, get } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const figures = await get<PaymentFigures>('/payment-figures?from=2025-11&to=2026-03')
    const money = `kind in ('payment', 'refund')`
    for (const { month, received } of figures.months)
      expect([month, toCents(received)]).toEqual([
        month,
        0 - (await sumLedger(`${money} and to_char(made_on, 'YYYY-MM-01') = '${month}'`)),
      ])
    for (const { method, received } of figures.methods)
      expect([method, toCents(received)]).toEqual([
        method,
        0 -
          (await sumLedger(
            `${money} and method is not distinct from ${method ? `'${method}'` : 'null'}`,
          )),
      ])
    const totalMoney = 0 - (await sumLedger(money))
    expect(sumCents(figures.methods.map(({ received }) => received))).toBe(totalMoney)
    expect(sumCents(figures.classes.map(({ received }) => received))).toBe(totalMoney)
    expect(sumCents(figures.months.map(({ written_off }) => written_off))).toBe(
      0 - (await sumLedger(`kind = 'write_off'`)),
    )
    const balances = await get<Balance[]>('/payment-balances')
    expect(sumCents(figures.months.map(({ owed }) => owed))).toBe(
      sumCents(balances.map(({ owed }) => owed)),
    )
    const expected = sumCents(figures.months.map((row) => row.expected))
    expect(sumCents(figures.classes.map((row) => row.expected))).toBe(expected)
    const unchargedCents = expected - (await sumLedger(`kind = 'charge'`))
    const ledgerBalance = await sumLedger(`kind <> 'credit' and student_id is not null`)
    expect(unchargedCents).toBe(
      sumCents(balances.flatMap(({ owed, credit }) => [owed, -credit])) - ledgerBalance,
    )
    expect(unchargedCents).toBeGreaterThan(0)
    expect(new Set(figures.classes.map(({ class_name }) => class_name))).toEqual(
      new Set([null, 'Adults', 'Kids Judo', 'Open Mat']),
    )
  })

  test('figures work for a single month, and for months without data', async () => {
    const { client, get } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const allFigures = await get<PaymentFigures>('/payment-figures?from=2025-11&to=2026-03')
    for (const figures of allFigures.months) {
      const month = figures.month.slice(0, 7)
      expect(
        (await get<PaymentFigures>(`/payment-figures?from=${month}&to=${month}`)).months,
      ).toEqual([figures])
    }
    const readDetail = async (query: string) =>
      (await client().get(`/payment-figures?${query}`)).body.detail
    expect([
      await readDetail('from=2026-03&to=2026-02'),
      await readDetail('from=2020-01&to=2026-02'),
      await readDetail('from=2026-13&to=2027-01'),
    ]).toEqual([
      'The last month must not be before the first',
      'At most 60 months',
      'First month must be a month (YYYY-MM)',
    ])
  })

  test('a statement opens with last year’s balance, and closes with today’s', async () => {
    const { students, rosa, get } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const balances = new Map(
      (await get<Balance[]>('/payment-balances')).map((row) => [
        row.student_id,
        sumCents([row.owed, -row.credit]),
      ]),
    )
    const closings = []
    for (const [name, { id }] of Object.entries(students)) {
      const statement = await get<Statement>(`/statements?year=2026&student_id=${id}`)
      const lastYear = await get<Statement>(`/statements?year=2025&student_id=${id}`)
      expect([name, sumCents([statement.closing])]).toEqual([name, balances.get(id) ?? 0])
      expect([name, lastYear.opening, lastYear.closing]).toEqual([name, 0, statement.opening])
      const movements = statement.lines.map(({ amount }) => amount)
      expect(sumCents([statement.opening, ...movements])).toBe(sumCents([statement.closing]))
      expect(statement.lines.at(-1)?.balance).toBe(statement.closing)
      closings.push([id, statement.closing, lastYear.closing] as const)
    }
    const family = await get<Statement>(`/statements?year=2026&payer_id=${rosa.id}`)
    const familyClosings = closings.filter(([id]) =>
      family.students.some((student) => student.id === id),
    )
    expect([
      family.name,
      familyClosings.length,
      sumCents([family.closing]),
      sumCents([family.opening]),
    ]).toEqual([
      'Rosa Diaz',
      3,
      sumCents(familyClosings.map(([, closing]) => closing)),
      sumCents(familyClosings.map(([, , opening]) => opening)),
    ])
    const paymentLines = family.lines
      .filter(({ line }) => line === 'payment' || line === 'refund')
      .map(({ amount }) => amount)
    expect(sumCents(family.paid.map(({ amount }) => amount))).toBe(0 - sumCents(paymentLines))
  })

  test('a statement is for one student or one payer', async () => {
    const { client, students, rosa } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const readRefusal = async (query: string) => {
      const { status, body } = await client().get(`/statements?${query}`)
      return [status, body.detail]
    }
    expect([
      await readRefusal('year=2026'),
      await readRefusal(`year=2026&student_id=${students.ken.id}&payer_id=${rosa.id}`),
      await readRefusal(`student_id=${students.ken.id}`),
      await readRefusal(`year=2026&student_id=${rosa.id}`),
      await readRefusal(`year=2026&payer_id=${students.ken.id}`),
    ]).toEqual([
      [422, 'Choose either a student or a payer'],
      [422, 'Choose either a student or a payer'],
      [422, 'Year must be between 2000 and 2199'],
      [404, 'Student not found'],
      [404, 'Payer not found'],
    ])
  })

  test('each day of a cash count has its payments and refunds', async () => {
    const { sumLedger, get } = await getSharedDojo()
    setClock('2026-03-05T18:00:00Z')
    let daysWithMoney = 0
    for (const date of ['2025-11-10', '2025-12-20', '2026-01-15', '2026-02-03', '2026-03-05']) {
      const day = await get<CashDay>(`/cash-counts?date=${date}`)
      const dayCondition = `made_on = '${date}'`
      expect(sumCents(day.methods.map(({ received }) => received))).toBe(
        0 - (await sumLedger(`kind = 'payment' and ${dayCondition}`)),
      )
      expect(sumCents(day.methods.map(({ given_back }) => given_back))).toBe(
        await sumLedger(`kind = 'refund' and ${dayCondition}`),
      )
      expect(sumCents([day.expected_cash])).toBe(
        0 -
          (await sumLedger(
            `kind in ('payment', 'refund') and method = 'cash' and ${dayCondition}`,
          )),
      )
      if (day.methods.length > 0) daysWithMoney += 1
    }
    expect(daysWithMoney).toBe(5)
  })

  test.each(['quickbooks', 'xero'])(
    'the %s export adds up to the payments and refunds of its days',
    async (format) => {
      const { client, sumLedger } = await getSharedDojo()
      setClock('2026-03-05T18:00:00Z')
      const sumExport = async (firstDay: string, lastDay: string) => {
        const { body } = await client().post('/export/bookkeeping', {
          format,
          from: firstDay,
          to: lastDay,
        })
        const { data } = Papa.parse<Record<string, string>>(String(body), {
          header: true,
          skipEmptyLines: true,
        })
        return sumCents(data.map((row) => Number(row['Amount'] ?? row['*Amount'])))
      }
      const money = `kind in ('payment', 'refund')`
      expect(await sumExport('2025-01-01', '2026-12-31')).toBe(0 - (await sumLedger(money)))
      expect(await sumExport('2026-02-01', '2026-02-28')).toBe(
        0 - (await sumLedger(`${money} and made_on between '2026-02-01' and '2026-02-28'`)),
      )
    },
  )
})
