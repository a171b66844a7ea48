import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { addDays, firstDayOf, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { sumDollars, toCents } from '@tatami/contract/lib/money'
import type { FigureRow, MembershipFigures } from '@tatami/contract/memberships/membership-figures'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { holds, subscriptions } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import { setClock } from '../test/clock.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { runJobs } from '../test/ledger-dojo.ts'
import { requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const TODAY = '2027-03-10'

async function createDojo() {
  setClock('2027-01-05T18:00:00Z')
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await runJobs(server)
  const addPlan = async (changes: object) =>
    requireOk(await sensei.post('/plans', { ...PLAN_TEMPLATES[0], ...changes })).plan
  const enroll = (name: string, fee: number) =>
    server.createStudent(sensei, { name, monthly_payment_amount: fee })
  /** Puts a student on a plan, also on past days, which no call can do. */
  const start = (
    student_id: string,
    plan: { id: string; version_id: string; is_add_on: boolean },
    starts_on: string,
    changes: { ends_on?: string; fee_before?: number; replaces?: string } = {},
  ) =>
    server.db.inDojo(dojoId, async (tx) => {
      const id = newId()
      await tx.insert(subscriptions).values({
        ...{ id, student_id, plan_id: plan.id, version_id: plan.version_id, starts_on },
        ...{ is_add_on: plan.is_add_on, billing_day: 'first', first_period: 'prorated' },
        fee_before: 0,
        ...changes,
      })
      await tx.update(students).set({ has_subscription: true }).where(eq(students.id, student_id))
      return id
    })
  const hold = (student_id: string, starts_on: string, ends_on: string) =>
    server.db.inDojo(dojoId, (tx) =>
      tx.insert(holds).values({ student_id, starts_on, ends_on, kind: 'injury', billing: 'free' }),
    )
  const signInOn = async (day: string) => {
    setClock(`${day}T18:00:00Z`)
    await runJobs(server)
    return server.signIn(sensei.email)
  }
  return { sensei, addPlan, enroll, start, hold, signInOn }
}
type Client = Awaited<ReturnType<Awaited<ReturnType<typeof createDojo>>['signInOn']>>
/** Every number is the sum or the length of the list behind it. */
async function readFigures(client: Pick<Client, 'get'>): Promise<MembershipFigures> {
  const figures: MembershipFigures = requireOk(await client.get('/membership-figures'))
  const { lists } = figures
  const sumOf = (rows: readonly FigureRow[]) => sumDollars(rows.map(({ amount }) => amount ?? 0))
  expect(figures).toMatchObject({
    recurring_revenue: sumOf(lists.members),
    joining: lists.joining.length,
    ending: lists.ending.length,
    holds_ending: lists.holds_ending.length,
    next_month: sumOf(lists.next_month),
  })
  for (const { plan_id, members, recurring_revenue } of figures.by_plan) {
    const rows = lists.members.filter((row) => row.plan_id === plan_id)
    expect([members, recurring_revenue]).toEqual([rows.length, sumOf(rows)])
  }
  expect(sumDollars(figures.by_plan.map((plan) => plan.recurring_revenue))).toBe(
    figures.recurring_revenue,
  )
  return figures
}

test('has no figures without plans', async () => {
  const { enroll, signInOn } = await createDojo()
  await enroll('Mia Diaz', 95)
  expect(await readFigures(await signInOn(TODAY))).toEqual({
    ...{ month: 2, year: 2027 },
    recurring_revenue: 0,
    by_plan: [],
    ...{ joining: 0, ending: 0, holds_ending: 0, next_month: 0 },
    lists: { members: [], joining: [], ending: [], holds_ending: [], next_month: [] },
  })
})

test('sums what each plan brings in a month, and the monthly fees', async () => {
  const { addPlan, enroll, start, hold, signInOn } = await createDojo()
  const basicPlan = await addPlan({ name: 'Twice a week', price: 96 })
  const yearlyPlan = await addPlan({ name: 'Yearly', price: 1200, cycle_unit: 'year' })
  const weaponsPlan = await addPlan({
    name: 'Weapons',
    price: 10,
    cycle_unit: 'week',
    is_add_on: true,
  })
  const [mia, leo, ana, kim] = [
    await enroll('Mia Diaz', 96),
    await enroll('Leo Cole', 96),
    await enroll('Ana Hall', 100),
    await enroll('Kim Park', 80),
  ]
  await enroll('Ben Moss', 0)
  await start(mia.id, basicPlan, '2027-01-05')
  await start(leo.id, basicPlan, '2027-01-05')
  await hold(leo.id, '2027-03-01', '2027-03-20')
  await start(ana.id, yearlyPlan, '2027-02-01')
  await start(kim.id, weaponsPlan, '2027-02-01')
  expect(await readFigures(await signInOn(TODAY))).toMatchObject({
    recurring_revenue: 96 + 100 + 80 + 43.33,
    by_plan: [
      { plan_id: yearlyPlan.id, plan_name: 'Yearly', members: 1, recurring_revenue: 100 },
      { plan_id: basicPlan.id, plan_name: 'Twice a week', members: 2, recurring_revenue: 96 },
      { plan_id: null, plan_name: 'Monthly fee', members: 1, recurring_revenue: 80 },
      { plan_id: weaponsPlan.id, plan_name: 'Weapons', members: 1, recurring_revenue: 43.33 },
    ],
    holds_ending: 1,
  })
})

test('counts plans that start and end this month, but nobody who changes plans', async () => {
  const { addPlan, enroll, start, signInOn } = await createDojo()
  const basicPlan = await addPlan({ name: 'Twice a week', price: 96 })
  const largePlan = await addPlan({ name: 'Unlimited', price: 140 })
  const [mia, leo, ana] = [
    await enroll('Mia Diaz', 96),
    await enroll('Leo Cole', 96),
    await enroll('Ana Hall', 100),
  ]
  const [kim, zoe] = [await enroll('Kim Park', 80), await enroll('Zoe Fox', 0)]
  const oldPlan = await start(mia.id, basicPlan, '2027-01-05', { ends_on: '2027-03-14' })
  await start(mia.id, largePlan, '2027-03-15', { replaces: oldPlan })
  await start(leo.id, basicPlan, '2027-01-05', { ends_on: '2027-03-31' })
  // A student who paid the monthly fee and gets a plan was a member before.
  await start(ana.id, basicPlan, '2027-03-01', { fee_before: 100 })
  await start(zoe.id, basicPlan, '2027-03-08')
  const client = await signInOn(TODAY)
  // Students without a plan do not count.
  await server.createStudent(client, { name: 'New Student', monthly_payment_amount: 80 })
  requireOk(
    await client.post(`/students/${kim.id}/leave`, { left_on: TODAY, reason: 'moved_away' }),
  )
  const { lists, ...figures } = await readFigures(client)
  expect(figures).toMatchObject({ joining: 1, ending: 1 })
  expect(lists.joining).toMatchObject([{ student_id: zoe.id, day: '2027-03-08' }])
  expect(lists.ending).toMatchObject([{ student_id: leo.id, day: '2027-03-31' }])
  const memberships = requireOk(await client.get('/membership-list'))
  const endingRows = memberships.filter(({ ends_on }: { ends_on: string | null }) => ends_on)
  expect(endingRows).toMatchObject([{ student_id: leo.id, ends_on: '2027-03-31' }])
})

test('what next month will bring is what the ledger then charges', async () => {
  const { addPlan, enroll, start, hold, signInOn } = await createDojo()
  const basicPlan = await addPlan({
    ...{ name: 'Twice a week', price: 96 },
    ...{ yearly_fee: 25, yearly_fee_month: 3 },
  })
  const weeklyPlan = await addPlan({ name: 'Weekly', price: 25, cycle_unit: 'week' })
  const weaponsPlan = await addPlan({
    ...{ name: 'Weapons', price: 10, cycle_unit: 'week' },
    is_add_on: true,
  })
  const [mia, leo, ana] = [
    await enroll('Mia Diaz', 96),
    await enroll('Leo Cole', 96),
    await enroll('Ana Hall', 100),
  ]
  const kim = await enroll('Kim Park', 80)
  await start(kim.id, weaponsPlan, '2027-02-01')
  await start(mia.id, basicPlan, '2027-02-01')
  await start(leo.id, basicPlan, '2027-02-01', { ends_on: '2027-04-15' })
  await start(ana.id, weeklyPlan, '2027-02-01')
  await hold(mia.id, '2027-04-01', '2027-04-30')
  let client = await signInOn(TODAY)
  const taxes = ['month', 'plan'].map((kind) => ({
    ...{ kind, percent: 10, is_added: true },
    ...{ starts_on: '2027-01-01', ends_on: null },
  }))
  requireOk(await client.put('/sales-taxes', { taxes }))
  const { next_month } = await readFigures(client)
  const april = nextMonth(monthOfDate(TODAY))
  client = await signInOn(addDays(firstDayOf(nextMonth(april)), 1))
  const figures = requireOk(await client.get('/payment-figures?from=2027-04&to=2027-04'))
  expect(toCents(next_month)).toBe(toCents(figures.months[0].expected))
  expect(next_month).toBeGreaterThan(0)
})
