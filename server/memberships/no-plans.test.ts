import { afterAll, expect, test } from 'vitest'
import { createLedgerDojo, runJobs } from '../test/ledger-dojo.ts'
import { capturePlans } from '../test/query-plans.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const statements = capturePlans()
afterAll(() => statements.stop())

const PLAN_TABLES = new Set([
  ...['plans', 'plan_versions', 'subscriptions', 'subscription_prices', 'holds'],
  ...['student_packs', 'price_announcements'],
])
const FIGURES = [
  '/payment-statistics',
  '/payment-records',
  '/month-dues',
  '/payment-balances',
  '/owing',
  '/payment-figures?from=2027-01&to=2027-03',
  '/students',
  '/sibling-prices/students?month=2&year=2027',
  '/late-fees/preview?month=2&year=2027',
]

/** The tables of plans that were read for the dojo since the last call. */
const readPlanTables = () =>
  statements
    .take()
    .filter(({ isOverseer }) => !isOverseer)
    .flatMap(({ scans }) => scans.map(({ table }) => table))
    .filter((table) => PLAN_TABLES.has(table))

test('a school without plans reads no table of plans for its figures and payments', async () => {
  const { get, post, put, mark, pay, id, account, moveClockTo } = await createLedgerDojo(server, {
    monthly_payment_amount: 95,
  })
  await put('/late-fee-rule', { grace_days: 0, percent: 10 })
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] })
  statements.take()
  for (const path of FIGURES) {
    expect((await get(path)).status).toBe(200)
    expect([path, readPlanTables()]).toEqual([path, []])
  }
  await pay(20)
  await mark('paid')
  await mark('unpaid')
  await account()
  await moveClockTo('2027-05-10T18:00:00Z')
  await runJobs(server)
  const { student } = (await get(`/students/${id()}`)).body
  await put(`/students/${id()}`, { ...student, monthly_payment_amount: 100 })
  expect(readPlanTables()).toEqual([])
  await post(`/students/${id()}/leave`, { left_on: '2027-05-10', reason: 'cost' })
  await post(`/students/${id()}/return`)
  // Leaving ends the student's holds, if there are any.
  expect(new Set(readPlanTables())).toEqual(new Set(['holds']))
})
