import { expect, test } from 'vitest'
import { MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const FEES = [95, 120, 80, 0]
const FIGURES = [
  '/payment-statistics?month=2&year=2027',
  '/payment-records?month=2&year=2027',
  '/month-dues?month=2&year=2027',
  '/month-dues?month=3&year=2027',
  '/month-dues',
  '/payment-balances',
  '/owing',
  '/payment-figures?from=2027-01&to=2027-05',
  '/dashboard/analytics',
  '/sibling-prices/students?month=3&year=2027',
  '/late-fees/preview?month=3&year=2027',
]

/** A year's beginning in a school, with the monthly fees as they are, or as plans of that price. */
async function readFiguresOfSchool({ hasPlans }: { hasPlans: boolean }) {
  const dojo = await createPlanDojo(
    server,
    ...FEES.map((monthly_payment_amount) => ({ monthly_payment_amount })),
  )
  const { sensei, students, id, put, mark, pay, addPlan, start, moveClockTo } = dojo
  await put('/late-fee-rule', { grace_days: 3, percent: 10 })
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] })
  await server.createGuardian(sensei, [], {
    name: 'Ann Adams',
    students: [id(0), id(1)].map((student_id) => ({ student_id, pays: true })),
  })
  if (hasPlans)
    for (const [index, price] of FEES.entries())
      if (price > 0)
        await start(await addPlan({ name: `Plan ${index}`, price }), '2027-03-01', {}, index)
  await mark('paid', { payment_month: MARCH })
  await pay(50, {}, 1)
  await moveClockTo('2027-05-10T18:00:00Z')
  const figures: Record<string, unknown> = {}
  for (const path of FIGURES) {
    const { status, body } = await dojo.get(path)
    expect([path, status]).toEqual([path, 200])
    figures[path] = withoutIds(body, students)
  }
  return figures
}

/** Students by their place, and rows in an order of their own, because ids differ. */
function withoutIds(body: unknown, students: readonly { id: string }[]): unknown {
  let text = JSON.stringify(body)
  for (const [index, { id }] of students.entries()) text = text.replaceAll(id, `student ${index}`)
  text = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replaceAll(/T\d\d:[\d:.]+Z/g, 'T')
  const replyWithoutIds: unknown = JSON.parse(text)
  return Array.isArray(replyWithoutIds)
    ? replyWithoutIds.map((row) => JSON.stringify(row)).toSorted()
    : replyWithoutIds
}

test('plans that cost what the monthly fees cost change no figure', async () => {
  const figures = await readFiguresOfSchool({ hasPlans: false })
  expect(await readFiguresOfSchool({ hasPlans: true })).toEqual(figures)
})
