import { toCents } from '@tatami/contract/lib/money'
import type { Account, Balance } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import type pg from 'pg'
import { expect } from 'vitest'
import { firstRow } from '../lib/rows.ts'
import type { ApiClient } from './test-server.ts'

type BalanceRow = { student_id: string; balance: number; credit: number }
type MonthRow = {
  student_id: string | null
  year: number
  month: number
  charged: number
  owed: number
  received: number
}
type PaymentRecord = {
  student_id: string
  year: number
  month: number
  status: string
  cents: number
}

const BALANCES_QUERY = `select student_id,
    sum(case kind when 'credit' then 0 else amount end)::float8 as balance,
    (coalesce(sum(amount) filter (where kind = 'credit'), 0) - coalesce(sum(amount) filter (where
      charge_id is null), 0))::float8 as credit
  from ledger_lines where dojo_id = $1 group by student_id`
const MONTHS_QUERY = `select c.student_id, c.year, c.month, coalesce(sum(l.amount),
    0)::float8 as owed,
    coalesce(sum(l.amount) filter (where l.kind = 'charge'), 0)::float8 as charged,
    coalesce(-sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund')), 0)::float8 as
      received
  from charges c left join ledger_lines l on l.dojo_id = c.dojo_id and l.charge_id = c.id
  where c.dojo_id = $1 and c.kind = 'month' group by c.student_id, c.year, c.month`
const RECORDS_QUERY = `select student_id, payment_year as year, payment_month as month,
    payment_status as status, amount as cents
  from payment_records where dojo_id = $1`

type MonthKey = { student_id: string | null; year: number; month: number }
const monthKey = ({ student_id, year, month }: MonthKey) => `${student_id} ${year} ${month}`

/** Expects that the accounts, balances, payment records and statistics of the API agree with the
 *  sums of the ledger's lines. */
export async function expectConsistentPayments(
  overseer: pg.Client,
  dojoId: string,
  sensei: Pick<ApiClient, 'get'>,
): Promise<void> {
  const readRows = async <Row extends pg.QueryResultRow>(query: string) =>
    (await overseer.query<Row>(query, [dojoId])).rows
  const ledgerSums = new Map(
    (await readRows<BalanceRow>(BALANCES_QUERY)).map((row) => [row.student_id, row]),
  )
  const balances = new Map(
    ((await sensei.get('/payment-balances')).body as Balance[]).map((balance) => [
      balance.student_id,
      balance,
    ]),
  )
  for (const { id } of (await sensei.get('/students')).body as Student[]) {
    const { balance = 0, credit = 0 } = ledgerSums.get(id) ?? {}
    const account = (await sensei.get(`/students/${id}/account`)).body as Account
    const currentMonthCents = toCents(
      account.charges.find((charge) => charge.id === null)?.owed ?? 0,
    )
    expect([toCents(account.balance), toCents(account.credit)]).toEqual([
      balance + currentMonthCents,
      credit,
    ])
    expect(
      account.charges.reduce((total, charge) => total + toCents(charge.owed), 0) - credit,
    ).toBe(balance + currentMonthCents)
    const reportedBalance = balances.get(id) ?? { owed: 0, credit: 0 }
    // Credit reduces what is owed, so a student never has both.
    const netCents = balance + currentMonthCents
    expect([toCents(reportedBalance.owed), toCents(reportedBalance.credit)]).toEqual([
      Math.max(0, netCents),
      Math.max(0, -netCents),
    ])
    expect(credit).toBeGreaterThanOrEqual(0)
  }
  const months = new Map(
    (await readRows<MonthRow>(MONTHS_QUERY)).map((row) => [monthKey(row), row]),
  )
  const records = await readRows<PaymentRecord>(RECORDS_QUERY)
  const paidRecords = records.filter(({ status }) => status === 'paid')
  for (const record of paidRecords)
    expect(months.get(monthKey(record))).toMatchObject({ owed: 0, received: record.cents })
  const recordedMonths = new Set(paidRecords.map(monthKey))
  for (const [key, { student_id, charged, owed }] of months) {
    // Deleted students have no records.
    if (student_id === null) continue
    expect(owed).toBeGreaterThanOrEqual(0)
    if (charged > 0 && owed === 0) expect(recordedMonths.has(key)).toBe(true)
  }
  const rowsByMonth = Map.groupBy(months.values(), ({ year, month }) => `${year} ${month}`)
  for (const monthRows of rowsByMonth.values()) {
    const { year, month } = firstRow(monthRows)
    const { monthly_revenue } = (
      await sensei.get(`/payment-statistics?year=${year}&month=${month}`)
    ).body as { monthly_revenue: number }
    expect(toCents(monthly_revenue)).toBe(
      monthRows.reduce((sum, monthRow) => sum + monthRow.received, 0),
    )
  }
}
