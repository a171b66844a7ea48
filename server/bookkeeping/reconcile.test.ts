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

/** A dojo with a family of three and two other students, and its ledger from November to March. */
async function createDojo() {
  setClock('2025-11-10T18:00:00Z')
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const kids = await server.createClass(sensei, { class_name: 'Kids Judo' }),
    adults = await server.createClass(sensei, { class_name: 'Adults' }),
    openMat = await server.createClass(sensei, { class_name: 'Open Mat' })
  const add = (name: string, monthly_payment_amount: number, classes: { id: string }[] = []) =>
    server.createStudent(sensei, {
      name,
      monthly_payment_amount,
      enrolled_classes: classes.map(({ id }) => id),
    })
  const mia = await add('Mia Diaz', 100.01, [kids, adults, openMat]),
    leo = await add('Leo Diaz', 80, [kids]),
    ana = await add('Ana Diaz', 60),
    ken = await add('Ken Adams', 85.5, [adults]),
    ben = await add('Ben Moss', 70, [kids, openMat])
  const rosa = await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    students: [mia, leo, ana].map(({ id }) => ({ student_id: id, pays: true })),
  })
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
  const mark = (student: { id: string }, month: number, year: number, status = 'paid') => ({
    student_id: student.id,
    payment_month: month,
    payment_year: year,
    payment_status: status,
  })
  await moveClockTo('2025-11-10T18:00:00Z')
  await post('/payment-records/marks', {
    marks: [mia, leo, ana].map((student) => mark(student, 10, 2025)),
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
  await moveClockTo('2026-01-01T12:00:00Z')
  await moveClockTo('2026-01-15T18:00:00Z')
  await post('/payments', { student_id: ben.id, amount: 30, method: 'cash' })
  await post('/payment-records', mark(leo, 11, 2025))
  const mistakenPaymentId = await post('/payments', {
    student_id: ana.id,
    amount: 60,
    method: 'card',
  })
  await moveClockTo('2026-02-01T12:00:00Z')
  await moveClockTo('2026-02-03T18:00:00Z')
  const undoActId = await post(`/ledger-acts/${mistakenPaymentId}/undo`)
  await post(`/ledger-acts/${undoActId}/undo`)
  const secondActId = await post('/payments', { student_id: ken.id, amount: 300, method: 'card' })
  await post(`/ledger-acts/${secondActId}/undo`)
  const { charges } = (await client.get(`/students/${leo.id}/account`)).body as {
    charges: { id: string; kind: string; owed: number }[]
  }
  await post(
    `/charges/${charges.find(({ kind, owed }) => kind === 'grading' && owed > 0)!.id}/write-off`,
  )
  await moveClockTo('2026-03-01T12:00:00Z')
  await moveClockTo('2026-03-05T18:00:00Z')
  await post('/payments', { student_id: mia.id, amount: 400, method: 'cash' })
  await post('/refunds', { student_id: mia.id, amount: 20.25, method: 'cash' })
  await post('/payment-records', mark(ken, 2, 2026))
  await post('/reset-monthly-payments', { payment_month: 2, payment_year: 2026 })
  await post('/payment-records', mark(ben, 2, 2026))
  const total = async (condition: string) => {
    const { rows } = await server.db.inDojo(dojoId, (tx) =>
      tx.execute<{ cents: number }>(
        sql.raw(
          `select coalesce(sum(amount), 0)::float8 as cents from ledger_lines where ${condition}`,
        ),
      ),
    )
    return rows[0]!.cents
  }
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await client.get(path)
    expect([path, status]).toEqual([path, 200])
    return body
  }
  return {
    client: () => client,
    dojoId,
    issued: issuedReceipts,
    students: { mia, leo, ana, ken, ben },
    rosa,
    total,
    get,
  }
}

const centsOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + toCents(amount), 0)
let createdDojo: ReturnType<typeof createDojo> | undefined
/** The tests share one dojo, which the first test creates. */
const sharedDojo = () => (createdDojo ??= createDojo())

describe('every number on the screens is a sum of the ledger', () => {
  test('receipts list the payments of their acts that were not undone', async () => {
    const { dojoId, issued, total, get } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    expect(issued.length).toBeGreaterThan(5)
    for (const receipt of issued) {
      const { rows } = await server.db.inDojo(dojoId, (tx) =>
        tx.execute<{ id: string }>(
          sql`select id from ledger_lines where act_id = ${receipt.act_id} and kind = 'payment'`,
        ),
      )
      expect(centsOf(receipt.lines.map(({ amount }) => amount))).toBe(
        0 - (await total(`kind = 'payment' and act_id = '${receipt.act_id}'`)),
      )
      expect([receipt.lines.length, centsOf([receipt.total])]).toEqual([
        rows.length,
        centsOf(receipt.lines.map(({ amount }) => amount)),
      ])
    }
    const receiptRows = await get<Receipt[]>('/receipts')
    expect(receiptRows.map(({ number }) => number)).toEqual(
      issued.map(({ number }) => number).toReversed(),
    )
    // The receipt lines that were not undone add up to the payments in the ledger.
    const validLines = receiptRows
      .flatMap(({ lines }) => lines)
      .filter(({ taken_back_on }) => taken_back_on === null)
    expect(centsOf(validLines.map(({ amount }) => amount))).toBe(
      0 - (await total(`kind = 'payment'`)),
    )
  })

  test('figures by month, method and class add up', async () => {
    const { total, get } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const figures = await get<PaymentFigures>('/payment-figures?from=2025-11&to=2026-03')
    const money = `kind in ('payment', 'refund')`
    for (const { month, received } of figures.months)
      expect([month, toCents(received)]).toEqual([
        month,
        0 - (await total(`${money} and to_char(made_on, 'YYYY-MM-01') = '${month}'`)),
      ])
    for (const { method, received } of figures.methods)
      expect([method, toCents(received)]).toEqual([
        method,
        0 -
          (await total(
            `${money} and method is not distinct from ${method ? `'${method}'` : 'null'}`,
          )),
      ])
    const totalMoney = 0 - (await total(money))
    expect(centsOf(figures.methods.map(({ received }) => received))).toBe(totalMoney)
    expect(centsOf(figures.classes.map(({ received }) => received))).toBe(totalMoney)
    expect(centsOf(figures.months.map(({ written_off }) => written_off))).toBe(
      0 - (await total(`kind = 'write_off'`)),
    )
    const balances = await get<Balance[]>('/payment-balances')
    expect(centsOf(figures.months.map(({ owed }) => owed))).toBe(
      centsOf(balances.map(({ owed }) => owed)),
    )
    const expected = centsOf(figures.months.map((row) => row.expected))
    expect(centsOf(figures.classes.map((row) => row.expected))).toBe(expected)
    const unchargedCents = expected - (await total(`kind = 'charge'`))
    const ledgerBalance = await total(`kind <> 'credit' and student_id is not null`)
    expect(unchargedCents).toBe(
      centsOf(balances.flatMap(({ owed, credit }) => [owed, -credit])) - ledgerBalance,
    )
    expect(unchargedCents).toBeGreaterThan(0)
    expect(new Set(figures.classes.map(({ class_name }) => class_name))).toEqual(
      new Set([null, 'Adults', 'Kids Judo', 'Open Mat']),
    )
  })

  test('figures work for a single month, and for months without data', async () => {
    const { client, get } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const allFigures = await get<PaymentFigures>('/payment-figures?from=2025-11&to=2026-03')
    for (const figures of allFigures.months) {
      const month = figures.month.slice(0, 7)
      expect(
        (await get<PaymentFigures>(`/payment-figures?from=${month}&to=${month}`)).months,
      ).toEqual([figures])
    }
    const detail = async (query: string) =>
      (await client().get(`/payment-figures?${query}`)).body.detail
    expect([
      await detail('from=2026-03&to=2026-02'),
      await detail('from=2020-01&to=2026-02'),
      await detail('from=2026-13&to=2027-01'),
    ]).toEqual([
      'The last month must not be before the first',
      'At most 60 months',
      'First month must be a month (YYYY-MM)',
    ])
  })

  test('a statement opens with last year’s balance, and closes with today’s', async () => {
    const { students, rosa, get } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const balances = new Map(
      (await get<Balance[]>('/payment-balances')).map((row) => [
        row.student_id,
        centsOf([row.owed, -row.credit]),
      ]),
    )
    const closings = []
    for (const [name, { id }] of Object.entries(students)) {
      const statement = await get<Statement>(`/statements?year=2026&student_id=${id}`)
      const lastYear = await get<Statement>(`/statements?year=2025&student_id=${id}`)
      expect([name, centsOf([statement.closing])]).toEqual([name, balances.get(id) ?? 0])
      expect([name, lastYear.opening, lastYear.closing]).toEqual([name, 0, statement.opening])
      const movements = statement.lines.map(({ amount }) => amount)
      expect(centsOf([statement.opening, ...movements])).toBe(centsOf([statement.closing]))
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
      centsOf([family.closing]),
      centsOf([family.opening]),
    ]).toEqual([
      'Rosa Diaz',
      3,
      centsOf(familyClosings.map(([, closing]) => closing)),
      centsOf(familyClosings.map(([, , opening]) => opening)),
    ])
    const paymentLines = family.lines
      .filter(({ line }) => line === 'payment' || line === 'refund')
      .map(({ amount }) => amount)
    expect(centsOf(family.paid.map(({ amount }) => amount))).toBe(0 - centsOf(paymentLines))
  })

  test('a statement is for one student or one payer', async () => {
    const { client, students, rosa } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    const refusalOf = async (query: string) => {
      const { status, body } = await client().get(`/statements?${query}`)
      return [status, body.detail]
    }
    expect([
      await refusalOf('year=2026'),
      await refusalOf(`year=2026&student_id=${students.ken.id}&payer_id=${rosa.id}`),
      await refusalOf(`student_id=${students.ken.id}`),
      await refusalOf(`year=2026&student_id=${rosa.id}`),
      await refusalOf(`year=2026&payer_id=${students.ken.id}`),
    ]).toEqual([
      [422, 'Name a student or a payer'],
      [422, 'Name a student or a payer'],
      [422, 'Year must be between 2000 and 2199'],
      [404, 'Student not found'],
      [404, 'Payer not found'],
    ])
  })

  test('each day of a cash count has its payments and refunds', async () => {
    const { total, get } = await sharedDojo()
    setClock('2026-03-05T18:00:00Z')
    let daysWithMoney = 0
    for (const date of ['2025-11-10', '2025-12-20', '2026-01-15', '2026-02-03', '2026-03-05']) {
      const day = await get<CashDay>(`/cash-counts?date=${date}`)
      const dayCondition = `made_on = '${date}'`
      expect(centsOf(day.methods.map(({ received }) => received))).toBe(
        0 - (await total(`kind = 'payment' and ${dayCondition}`)),
      )
      expect(centsOf(day.methods.map(({ given_back }) => given_back))).toBe(
        await total(`kind = 'refund' and ${dayCondition}`),
      )
      expect(centsOf([day.expected_cash])).toBe(
        0 - (await total(`kind in ('payment', 'refund') and method = 'cash' and ${dayCondition}`)),
      )
      if (day.methods.length > 0) daysWithMoney += 1
    }
    expect(daysWithMoney).toBe(5)
  })

  test.each(['quickbooks', 'xero'])(
    'the export for %s adds up to the payments and refunds of its days',
    async (format) => {
      const { client, total } = await sharedDojo()
      setClock('2026-03-05T18:00:00Z')
      const sumOf = async (firstDay: string, lastDay: string) => {
        const { body } = await client().post('/export/bookkeeping', {
          format,
          from: firstDay,
          to: lastDay,
        })
        const { data } = Papa.parse<Record<string, string>>(String(body), {
          header: true,
          skipEmptyLines: true,
        })
        return centsOf(data.map((row) => Number(row['Amount'] ?? row['*Amount'])))
      }
      const money = `kind in ('payment', 'refund')`
      expect(await sumOf('2025-01-01', '2026-12-31')).toBe(0 - (await total(money)))
      expect(await sumOf('2026-02-01', '2026-02-28')).toBe(
        0 - (await total(`${money} and made_on between '2026-02-01' and '2026-02-28'`)),
      )
    },
  )
})
