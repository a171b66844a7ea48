import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import { afterAll, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { createPlan, insertHold, insertSubscription } from '../test/plan-members.ts'
import { capturePlans } from '../test/query-plans.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const statements = capturePlans()
afterAll(() => statements.stop())

const TODAY = '2027-03-10'
const { month, year } = monthOfDate(TODAY)

const PLAN_TABLES = new Set([
  ...['plans', 'plan_versions', 'subscriptions', 'subscription_prices', 'holds'],
  ...['student_packs', 'price_announcements'],
])
/** Plans, and their prices and holds, are read by two queries, and for siblings by two more.
 *  Mark Paid reads them once before, when it locks the student. */
const MAX_PLAN_QUERIES = 6

const countPlanQueries = () =>
  statements.take().filter(({ scans }) => scans.some(({ table }) => PLAN_TABLES.has(table))).length

async function createDojo({ students, hasPlans }: { students: number; hasPlans: boolean }) {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const { id: classId } = await server.createClass(sensei)
  const members = []
  for (let count = 0; count < students; count += 1)
    members.push(
      await server.createStudent(sensei, {
        enrolled_classes: [classId],
        monthly_payment_amount: 96,
      }),
    )
  const siblings = members.slice(0, 2)
  await server.createGuardian(sensei, siblings, {
    students: siblings.map(({ id }) => ({ student_id: id, pays: true })),
  })
  await sensei.put('/sibling-prices', {
    ...{ ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] },
  })
  if (hasPlans) {
    const plan = await createPlan(sensei, { name: 'Kids', price: 96 })
    for (const { id } of members) {
      await insertSubscription(server, sensei, { studentId: id, plan })
      await insertHold(server, sensei, { student_id: id, starts_on: '2027-02-01', ends_on: TODAY })
    }
  }
  const studentId = members[0]?.id ?? ''
  const requests: [string, () => Promise<{ status: number }>][] = [
    ...[
      ...['/dashboard/stats', '/dashboard/analytics', '/payment-statistics', '/payment-records'],
      ...['/payment-balances', '/owing', '/month-dues', '/students'],
      ...['/payment-figures?from=2027-01&to=2027-03', '/sms/reminders/on_due/preview'],
      ...[`/students/${studentId}/account`, `/statements?student_id=${studentId}&year=${year}`],
      `/class-entries?class_id=${classId}&day=${TODAY}`,
    ].map((path): [string, () => Promise<{ status: number }>] => [
      path.replace(studentId, ':id').replace(classId, ':class'),
      () => sensei.get(path),
    ]),
    [
      'mark paid',
      () =>
        sensei.post('/payment-records', {
          ...{ student_id: studentId, payment_month: month, payment_year: year },
          payment_status: 'paid',
        }),
    ],
  ]
  const counts = new Map<string, number>()
  for (const [name, request] of requests) {
    statements.take()
    expect([name, (await request()).status]).toEqual([name, 200])
    counts.set(name, countPlanQueries())
  }
  return counts
}

test('plans are read by a few queries, however many students have them', async () => {
  const countsWithoutPlans = await createDojo({ students: 4, hasPlans: false })
  const counts = await createDojo({ students: 4, hasPlans: true })
  const countsOfMore = await createDojo({ students: 12, hasPlans: true })
  expect(countsOfMore).toEqual(counts)
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(MAX_PLAN_QUERIES)
  expect(Math.max(...countsWithoutPlans.values())).toBeLessThanOrEqual(2)
})
