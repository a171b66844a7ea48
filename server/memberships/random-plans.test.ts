import {
  addDays,
  addMonths,
  dayFrom,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const FIRST_DAY = '2027-03-10'
const FEE = 71
/** How many random years to play. SEED=<number> repeats the same years. */
const YEARS = Number(process.env.YEARS ?? (process.env.LONG ? 300 : 3))

type PlanFields = {
  price: number
  cycle_unit: 'week' | 'month' | 'year'
  cycle_count: number
  notice_days: number
}
type Step = { days: number } & (
  | { kind: 'start'; plan: number; inDays: number; billing_day: 'first' | 'start'; full: boolean }
  | { kind: 'change'; plan: number; now: boolean }
  | { kind: 'end'; ground: boolean }
  | { kind: 'keep' | 'undo' }
  | { kind: 'pay'; amount: number }
)

const planFields: fc.Arbitrary<PlanFields> = fc.record({
  price: fc.integer({ min: 1, max: 20_000 }).map((cents) => cents / 100),
  cycle_unit: fc.constantFrom('week', 'month', 'month', 'month', 'year'),
  cycle_count: fc.integer({ min: 1, max: 3 }),
  notice_days: fc.constantFrom(0, 0, 14, 30),
})
const planIndex = fc.nat(2)
const days = fc.integer({ min: 0, max: 45 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('start' as const), days, plan: planIndex, full: fc.boolean() },
    ...{ inDays: fc.nat(40), billing_day: fc.constantFrom('first' as const, 'start' as const) },
  }),
  fc.record({ kind: fc.constant('change' as const), days, plan: planIndex, now: fc.boolean() }),
  fc.record({ kind: fc.constant('end' as const), days, ground: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('keep' as const, 'undo' as const), days }),
  fc.record({ kind: fc.constant('pay' as const), days, amount: fc.integer({ min: 1, max: 300 }) }),
)

type PlainSubscription = {
  starts_on: string
  ends_on: string | null
  cents: number
  plan: PlanFields
  billing_day: 'first' | 'start'
  first_period: 'full' | 'prorated' | 'free'
  changes_to: { starts_on: string } | null
  /** A billing day, which may be of the plan before. */
  billed: { month: Month; date: number }
}

const latest = (a: string, b: string) => (a > b ? a : b)
const earliest = (a: string, b: string) => (a < b ? a : b)

/** Half a cent is rounded up. */
const share = (cents: number, part: number, whole: number) =>
  Math.floor((2 * cents * part + whole) / (2 * whole))

/** The n-th period as if it were paid in full, even before the subscription starts. */
function wholePeriod({ plan, starts_on, billed }: PlainSubscription, n: number) {
  const { cycle_unit, cycle_count } = plan
  if (cycle_unit === 'week') {
    const first = addDays(starts_on, n * 7 * cycle_count)
    return { first, last: addDays(first, 7 * cycle_count - 1) }
  }
  const billingDay = (count: number) => {
    const month = addMonths(billed.month, count * monthsIn(plan))
    return dayFrom(month, Math.min(billed.date, daysInMonth(month)))
  }
  return { first: billingDay(n), last: addDays(billingDay(n + 1), -1) }
}

const monthsIn = ({ cycle_unit, cycle_count }: PlanFields) =>
  cycle_unit === 'year' ? 12 * cycle_count : cycle_count

/** Billing days stay the same after a change, unless one of the plans is paid by the week. */
function withBillingDays(rows: PlainSubscription[]): PlainSubscription[] {
  const plainSubscriptions: PlainSubscription[] = []
  for (const row of rows) {
    const { starts_on, plan } = row
    const planBefore = plainSubscriptions.find(
      ({ changes_to }) => changes_to?.starts_on === starts_on,
    )
    const isMonthly = plan.cycle_unit !== 'week' && planBefore?.plan.cycle_unit !== 'week'
    if (!planBefore || !isMonthly) {
      plainSubscriptions.push(row)
      continue
    }
    const { month, date } = planBefore.billed
    const thisMonth = monthOfDate(starts_on)
    const isLater = dayFrom(thisMonth, Math.min(date, daysInMonth(thisMonth))) > starts_on
    const lastMonth = isLater ? addMonths(thisMonth, -1) : thisMonth
    const isSameLength = monthsIn(plan) === monthsIn(planBefore.plan)
    plainSubscriptions.push({ ...row, billed: { month: isSameLength ? month : lastMonth, date } })
  }
  return plainSubscriptions
}

/** What falls due in a month, counted day by day from the end of each period. */
function plainMonth(subscription: PlainSubscription, firstDay: string, lastDay: string): number {
  const { starts_on, ends_on, cents, first_period } = subscription
  let sum = 0
  for (let n = -1; ; n += 1) {
    const { first, last } = wholePeriod(subscription, n)
    if (last < starts_on) continue
    const firstDayOfPart = latest(first, starts_on)
    if (firstDayOfPart > lastDay || (ends_on !== null && firstDayOfPart > ends_on)) return sum
    if (firstDayOfPart < firstDay) continue
    const lastDayOfPart = ends_on === null ? last : earliest(last, ends_on)
    const pricedFrom = first < starts_on && first_period === 'full' ? starts_on : first
    const daysInAll = daysBetween(pricedFrom, last) + 1
    const valueFrom = (day: string) => share(cents, daysBetween(day, last) + 1, daysInAll)
    sum += valueFrom(firstDayOfPart) - valueFrom(addDays(lastDayOfPart, 1))
  }
}

function plainPrice(subscriptions: PlainSubscription[], firstDay: string): number | null {
  const lastDay = lastDayOf(monthOfDate(firstDay))
  const running = subscriptions.filter(
    ({ starts_on, ends_on }) => starts_on <= lastDay && (ends_on === null || ends_on >= firstDay),
  )
  const [first] = running
  if (!first) return subscriptions.some(({ starts_on }) => starts_on < firstDay) ? 0 : null
  const isFirstEver = subscriptions[0] === first
  const daysBefore = daysBetween(firstDay, first.starts_on)
  const fee =
    isFirstEver && daysBefore > 0 && first.starts_on > FIRST_DAY
      ? share(toCents(FEE), daysBefore, daysInMonth(monthOfDate(firstDay)))
      : 0
  return fee + running.reduce((sum, row) => sum + plainMonth(row, firstDay, lastDay), 0)
}

async function playYear(plans: PlanFields[], steps: Step[]) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: FEE })
  const { post, addPlan, start, membership, moveClockTo, account, pay, undo } = dojo
  const planIds: string[] = []
  for (const [index, fields] of plans.entries())
    planIds.push(await addPlan({ name: `Plan ${'ABC'[index]}`, entry_limit: null, ...fields }))
  let today = FIRST_DAY
  const acts: { body: { act_id: string } }[] = []
  for (const { days: waitedDays, ...action } of steps) {
    today = addDays(today, waitedDays)
    await moveClockTo(`${today}T18:00:00Z`)
    const open = (await membership()).subscriptions.filter(
      ({ state }: { state: string }) => state !== 'ended',
    )
    const current = open.at(-1)
    if (action.kind === 'start')
      await start(planIds[action.plan]!, addDays(today, action.inDays), {
        billing_day: action.billing_day,
        first_period: action.full ? 'full' : 'prorated',
      })
    else if (action.kind === 'pay') acts.push(await pay(action.amount))
    else if (action.kind === 'undo') {
      const act = acts.pop()
      if (act) await undo(act)
    } else if (current) {
      const path = `/subscriptions/${current.id}`
      if (action.kind === 'end') await post(`${path}/end`, action.ground ? { ground: 'moved' } : {})
      if (action.kind === 'keep') await post(`${path}/keep`)
      if (action.kind === 'change')
        await post(`${path}/change`, {
          plan_id: planIds[action.plan],
          ...{ from: action.now ? 'now' : 'next_period', reason: 'Wanted to' },
        })
    }
  }
  await moveClockTo(`${addDays(today, 62)}T18:00:00Z`)
  const { subscriptions } = await membership()
  const year = { subscriptions, account: await account() }
  await deactivateDojo(dojo.sensei.id)
  return year
}

function toPlain(
  row: {
    starts_on: string
    ends_on: string | null
    price: number
    plan_name: string
    billing_day: 'first' | 'start'
    first_period: 'full' | 'prorated'
    changes_to: { starts_on: string } | null
  },
  plans: PlanFields[],
): PlainSubscription {
  const plan = plans['ABC'.indexOf(row.plan_name.at(-1) ?? '')]!
  const { starts_on, billing_day } = row
  const date = billing_day === 'first' ? 1 : dayOfMonth(starts_on)
  return {
    ...row,
    cents: toCents(row.price),
    plan,
    billed: { month: monthOfDate(starts_on), date },
  }
}

/** Nightly jobs skip dojos that are not active, so the last year takes as long as the first. */
async function deactivateDojo(senseiId: string): Promise<void> {
  const superAdmin = await server.signInSuperAdmin()
  const reply = await superAdmin.put(`/super-admin/sensei/${senseiId}/toggle-active`)
  expect(reply.body).toMatchObject({ is_active: false })
}

async function checkYear(plans: PlanFields[], steps: Step[]) {
  const { subscriptions, account } = await playYear(plans, steps)
  const plainSubscriptions: PlainSubscription[] = withBillingDays(
    subscriptions
      .map((row: Parameters<typeof toPlain>[0]) => toPlain(row, plans))
      .filter(
        ({ starts_on, ends_on }: PlainSubscription) => ends_on === null || ends_on >= starts_on,
      )
      .toSorted((a: PlainSubscription, b: PlainSubscription) =>
        a.starts_on < b.starts_on ? -1 : 1,
      ),
  )
  for (const [index, { starts_on }] of plainSubscriptions.entries())
    expect(starts_on > (plainSubscriptions[index - 1]?.ends_on ?? '')).toBe(true)
  const monthCharges = account.charges.filter(({ kind, id }) => kind === 'month' && id !== null)
  const lastDay = steps.reduce((day, { days: count }) => addDays(day, count), FIRST_DAY)
  const months = monthsFrom(monthOfDate(FIRST_DAY), monthOfDate(addDays(lastDay, 31)))
  for (const { year, month } of months) {
    const charge = monthCharges.find((row) => row.year === year && row.month === month)
    const expected = plainPrice(plainSubscriptions, firstDayOf({ year, month })) ?? toCents(FEE)
    expect([year, month, toCents(charge?.amount ?? 0)]).toEqual([year, month, expected])
  }
}

describe('random years with plans', () => {
  const years = fc.tuple(
    fc.array(planFields, { minLength: 3, maxLength: 3 }),
    fc.array(step, { minLength: 3, maxLength: 12 }),
  )
  test('cost what plain arithmetic says', async () => {
    await fc.assert(
      fc.asyncProperty(years, ([plans, steps]) => checkYear(plans, steps)),
      {
        endOnFailure: true,
        numRuns: YEARS,
        ...(process.env.SEED && { seed: Number(process.env.SEED) }),
      },
    )
  }, 3_600_000)
})
