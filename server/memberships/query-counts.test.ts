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

/** The tables of memberships. */
const MEMBERSHIP_TABLES = new Set([
  'plans',
  'plan_versions',
  'subscriptions',
  'subscription_prices',
  'holds',
  'student_packs',
  'price_announcements',
])
/** One query finds out that a school has no memberships, and Mark Paid asks twice. */
const MAX_QUERIES_WITHOUT_MEMBERSHIPS = 2
/** Two queries read the memberships with their prices and holds, and two more read those of
 *  siblings. Mark Paid also runs the first two before, when it locks the student. */
const MAX_MEMBERSHIP_QUERIES = 6

type DojoSize = { studentCount: number; hasMemberships: boolean }

test('the number of queries for plans does not grow with the number of students', async () => {
  const countsWithoutPlans = await countQueries({ studentCount: 4, hasMemberships: false })
  const countsOfFour = await countQueries({ studentCount: 4, hasMemberships: true })
  const countsOfTwelve = await countQueries({ studentCount: 12, hasMemberships: true })
  expect(countsOfTwelve).toEqual(countsOfFour)
  expect(Math.max(...countsOfFour.values())).toBeLessThanOrEqual(MAX_MEMBERSHIP_QUERIES)
  expect(Math.max(...countsWithoutPlans.values())).toBeLessThanOrEqual(
    MAX_QUERIES_WITHOUT_MEMBERSHIPS,
  )
})

/** Returns how many queries each request sends to the tables of memberships. */
async function countQueries(size: DojoSize): Promise<Map<string, number>> {
  const requests = await createDojo(size)
  const counts = new Map<string, number>()
  for (const [name, sendRequest] of requests) {
    statements.take()
    expect([name, (await sendRequest()).status]).toEqual([name, 200])
    const membershipQueries = statements
      .take()
      .filter(({ scans }) => scans.some(({ table }) => MEMBERSHIP_TABLES.has(table)))
    counts.set(name, membershipQueries.length)
  }
  return counts
}

type NamedRequest = [name: string, sendRequest: () => Promise<{ status: number }>]

/** Creates a dojo with two siblings among its students. Returns requests that read memberships. */
async function createDojo({ studentCount, hasMemberships }: DojoSize): Promise<NamedRequest[]> {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const { id: classId } = await server.createClass(sensei)
  const studentForm = { enrolled_classes: [classId], monthly_payment_amount: 96 }
  const studentIds: string[] = []
  for (let count = 0; count < studentCount; count += 1)
    studentIds.push((await server.createStudent(sensei, studentForm)).id)
  const siblings = studentIds.slice(0, 2).map((id) => ({ id }))
  await server.createGuardian(sensei, siblings, {
    students: siblings.map(({ id }) => ({ student_id: id, pays: true })),
  })
  await sensei.put('/sibling-prices', {
    ordered_by: 'highest_fee',
    prices: [{ nth: 2, percent: 10 }],
  })
  if (hasMemberships) {
    const plan = await createPlan(sensei, { name: 'Kids', price: 96 })
    for (const student_id of studentIds) {
      await insertSubscription(server, sensei, { studentId: student_id, plan })
      await insertHold(server, sensei, { student_id, starts_on: '2027-02-01', ends_on: TODAY })
    }
  }
  const studentId = studentIds[0] ?? ''
  const paths = [
    '/dashboard/stats',
    '/dashboard/analytics',
    '/payment-statistics',
    '/payment-records',
    '/payment-balances',
    '/owing',
    '/month-dues',
    '/students',
    '/payment-figures?from=2027-01&to=2027-03',
    '/sms/reminders/on_due/preview',
    `/students/${studentId}/account`,
    `/statements?student_id=${studentId}&year=${year}`,
    `/class-entries?class_id=${classId}&day=${TODAY}`,
  ]
  const readRequests = paths.map((path): NamedRequest => {
    const name = path.replace(studentId, ':id').replace(classId, ':class')
    return [name, () => sensei.get(path)]
  })
  const payment = {
    student_id: studentId,
    payment_month: month,
    payment_year: year,
    payment_status: 'paid',
  }
  return [...readRequests, ['mark paid', () => sensei.post('/payment-records', payment)]]
}
