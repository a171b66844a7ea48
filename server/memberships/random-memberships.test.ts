import {
  addDays,
  addMonths,
  dayFrom,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  firstDayOf,
  type Month,
  monthOfDate,
  monthsFrom,
} from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { expectConsistentPayments } from '../test/reconcile.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())
const FIRST_DAY = '2027-03-10'
const TAX_PERCENT = 8.25
/** How many random years to play. The long run plays other years each time. SEED=<number> repeats
 *  the same years. */
const YEARS = Number(process.env.YEARS ?? (process.env.LONG ? 300 : 20))
const SHORT_RUN_SEED = 20272
const seed = process.env.SEED ?? (process.env.LONG ? null : SHORT_RUN_SEED)

type Kind = 'open' | 'term' | 'renewing'
type PlanFields = {
  kind: Kind
  price: number
  cycle_unit: 'week' | 'month' | 'year'
  cycle_count: number
  minimum_months: number
  notice_days: number
}
type HoldFields = {
  inDays: number
  length: number | null
  billing: 'free' | 'prorated' | 'full' | 'fee'
  moves_end: boolean
  target: 'all' | 'plan' | 'add_on'
}
type Step = { days: number } & (
  | { kind: 'start'; plan: number; inDays: number; billing_day: 'first' | 'start'; full: boolean }
  | { kind: 'change'; plan: number; now: boolean }
  | { kind: 'end'; ground: boolean }
  | { kind: 'keep' | 'undo' | 'undo payment' | 'reopen hold' | 'delete hold' | 'add-on' | 'pack' }
  | { kind: 'end hold'; daysAgo: number | null }
  | { kind: 'vacation'; inDays: number; length: number | null }
  | ({ kind: 'hold' } & HoldFields)
  | { kind: 'pay'; amount: number }
)

const planFields: fc.Arbitrary<PlanFields> = fc.record({
  kind: fc.constantFrom('open', 'open', 'term', 'renewing'),
  price: fc.integer({ min: 100, max: 20_000 }).map((cents) => cents / 100),
  cycle_unit: fc.constantFrom('week', 'month', 'month', 'month', 'year'),
  cycle_count: fc.integer({ min: 1, max: 3 }),
  minimum_months: fc.constantFrom(0, 1, 3, 6),
  notice_days: fc.constantFrom(0, 0, 14, 30),
})
const planIndex = fc.nat(2)
const days = fc.integer({ min: 0, max: 45 })
const billing_day = fc.constantFrom('first' as const, 'start' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('start' as const), days, plan: planIndex, full: fc.boolean() },
    ...{ inDays: fc.nat(40), billing_day },
  }),
  fc.record({ kind: fc.constant('change' as const), days, plan: planIndex, now: fc.boolean() }),
  fc.record({ kind: fc.constant('end' as const), days, ground: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom(
      ...(['keep', 'undo', 'undo payment', 'reopen hold'] as const),
      ...(['delete hold', 'add-on', 'pack'] as const),
    ),
    days,
  }),
  fc.record({
    ...{ kind: fc.constant('end hold' as const), days },
    daysAgo: fc.option(fc.integer({ min: 1, max: 50 })),
  }),
  fc.record({
    ...{ kind: fc.constant('vacation' as const), days, inDays: fc.integer({ min: -40, max: 20 }) },
    length: fc.option(fc.integer({ min: 1, max: 70 })),
  }),
  fc.record({
    ...{ kind: fc.constant('hold' as const), days, inDays: fc.integer({ min: -20, max: 30 }) },
    length: fc.option(fc.integer({ min: 1, max: 50 }), { freq: 6 }),
    billing: fc.constantFrom('free', 'prorated', 'full', 'fee'),
    ...{ moves_end: fc.boolean(), target: fc.constantFrom('all', 'plan', 'add_on') },
  }),
  fc.record({ kind: fc.constant('pay' as const), days, amount: fc.integer({ min: 1, max: 300 }) }),
)

/** A subscription as the API describes it. */
type Row = {
  id: string
  plan_name: string
  is_add_on: boolean
  starts_on: string
  ends_on: string | null
  price: number
  billing_day: 'first' | 'start'
  first_period: 'full' | 'prorated'
  cancel_asked_on: string | null
  changes_to: { starts_on: string } | null
}
type Hold = {
  id: string
  subscription_id: string | null
  starts_on: string
  ends_on: string | null
  billing: HoldFields['billing']
  fee: number
  moves_end: boolean
}
type Period = { first: string; last: string; cents: number }
type BillingDay = { month: Month; date: number }

const FAR = '9999-12-31'
/** Half a cent is rounded up. */
const share = (cents: number, part: number, whole: number) =>
  whole === 0 ? 0 : Math.floor((2 * cents * part + whole) / (2 * whole))
const count = (first: string, last: string) => Math.max(0, daysBetween(first, last) + 1)
const later = (a: string, b: string) => (a > b ? a : b)
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const monthsIn = ({ cycle_unit, cycle_count }: PlanFields) =>
  cycle_unit === 'year' ? 12 * cycle_count : cycle_count
const dateIn = (month: Month, date: number) => dayFrom(month, Math.min(date, daysInMonth(month)))

/** What one subscription costs, day by day, from what the API says about it in the end. */
class PlainPlan {
  readonly row: Row
  readonly #fields: PlanFields
  readonly #billed: BillingDay
  readonly #holds: Hold[]

  constructor(row: Row, fields: PlanFields, billingDay: BillingDay, holds: Hold[]) {
    this.row = row
    this.#fields = fields
    this.#billed = billingDay
    this.#holds = holds.filter(
      ({ subscription_id }) => subscription_id === null || subscription_id === row.id,
    )
  }

  get billed() {
    return this.#billed
  }

  get fields() {
    return this.#fields
  }

  isPaid(day: string, holds: Hold[]): boolean {
    const billings = holds
      .filter(({ starts_on, ends_on }) => starts_on <= day && day <= (ends_on ?? FAR))
      .map(({ billing }) => billing)
    return billings.every((billing) => billing === 'full')
  }

  fee(day: string): number {
    const holds = this.#holds.filter(
      ({ starts_on, ends_on }) => starts_on <= day && day <= (ends_on ?? FAR),
    )
    if (holds.some(({ billing }) => billing === 'free' || billing === 'prorated')) return 0
    const fees = holds.flatMap(({ billing, fee }) => (billing === 'fee' ? [toCents(fee)] : []))
    return fees.length > 0 ? Math.min(...fees) : 0
  }

  bounds(n: number) {
    const { cycle_unit, cycle_count } = this.#fields
    if (cycle_unit === 'week') {
      const first = addDays(this.row.starts_on, n * 7 * cycle_count)
      return { first, last: addDays(first, 7 * cycle_count - 1) }
    }
    const { month, date } = this.#billed
    const billingDay = (index: number) =>
      dateIn(addMonths(month, index * monthsIn(this.#fields)), date)
    return { first: billingDay(n), last: addDays(billingDay(n + 1), -1) }
  }

  /** Each period until a day, with its price for the days for which `isPaid` is true. */
  *parts(end: string | null, lastDay: string, isPaid: (day: string) => boolean) {
    const { starts_on, first_period, price } = this.row
    for (let n = -1; ; n += 1) {
      const whole = this.bounds(n)
      if (whole.last < starts_on) continue
      const first = later(whole.first, starts_on)
      if (first > lastDay || (end !== null && first > end)) return
      const last = end !== null && end < whole.last ? end : whole.last
      const pricedFrom =
        whole.first < starts_on && first_period === 'full' ? starts_on : whole.first
      const daysInAll = count(pricedFrom, whole.last)
      const daysAfter = daysBetween(last, whole.last)
      let paidDays = 0
      const feeDays = new Map<number, number>()
      for (let day = first; day <= last; day = addDays(day, 1)) {
        if (isPaid(day)) paidDays += 1
        const fee = this.fee(day)
        if (fee > 0) feeDays.set(fee, (feeDays.get(fee) ?? 0) + 1)
      }
      const cents =
        share(toCents(price), paidDays + daysAfter, daysInAll) -
        share(toCents(price), daysAfter, daysInAll)
      const fees = sumOf(
        [...feeDays].map(([fee, feeDayCount]) => share(fee, feeDayCount, daysInAll)),
      )
      yield { first, last, cents, paidDays, fees, isCut: whole.first < starts_on }
    }
  }

  /** Whether a plan ends by itself. Somebody may have asked for just that. */
  get endsByItself(): boolean {
    const { cancel_asked_on, changes_to, ends_on } = this.row
    if (this.#fields.kind !== 'term') return false
    if (cancel_asked_on === null) return changes_to === null
    return ends_on === this.endAfterHolds()
  }

  /** Each day of a hold that moves the end adds one. */
  endAfterHolds(): string {
    const moving = this.#holds.filter(({ moves_end }) => moves_end)
    let end = this.agreedEnd()
    for (let day = this.row.starts_on; day <= end; day = addDays(day, 1)) {
      const holds = moving.filter((hold) => hold.starts_on <= day && day <= (hold.ends_on ?? FAR))
      if (holds.some(({ ends_on }) => ends_on === null)) return FAR
      if (holds.length > 0) end = addDays(end, 1)
    }
    return end
  }

  agreedEnd(): string {
    const { starts_on } = this.row
    const { minimum_months, cycle_unit, cycle_count } = this.#fields
    if (minimum_months === 0 && cycle_unit === 'week')
      return addDays(starts_on, 7 * cycle_count - 1)
    const months = minimum_months || monthsIn(this.#fields)
    const { date } = this.#billed
    const isOnDate = dateIn(monthOfDate(starts_on), date) === starts_on
    const lastMonth = addMonths(monthOfDate(starts_on), months)
    return addDays(dateIn(lastMonth, isOnDate ? date : dayOfMonth(starts_on)), -1)
  }

  periods(lastDay: string): Period[] {
    const end = this.row.ends_on
    if (!this.endsByItself)
      return [...this.parts(end, lastDay, (day) => this.isPaid(day, this.#holds))].map(
        ({ first, last, cents, fees }) => ({ first, last, cents: cents + fees }),
      )
    const moving = this.#holds.filter(({ moves_end }) => moves_end)
    let leftCents = this.wholePrice()
    const paidParts = [...this.parts(end, lastDay, (day) => this.isPaid(day, this.#holds))]
    const withoutOthers = [...this.parts(end, lastDay, (day) => this.isPaid(day, moving))]
    return withoutOthers.map(({ first, last, cents, paidDays }, index) => {
      const whole = last === end ? leftCents : Math.min(cents, leftCents)
      leftCents -= whole
      const part = paidParts[index]!
      return { first, last, cents: share(whole, part.paidDays, paidDays) + part.fees }
    })
  }

  /** Without holds. The parts of a period at both ends make one price. */
  wholePrice(): number {
    const agreedEnd = this.agreedEnd()
    const parts = [...this.parts(agreedEnd, agreedEnd, () => true)].map(({ cents, isCut }) => ({
      cents,
      isCut,
    }))
    const months = this.#fields.minimum_months || monthsIn(this.#fields)
    const isWhole = months % monthsIn(this.#fields) === 0 && this.#fields.cycle_unit !== 'week'
    if (!isWhole || !parts[0]?.isCut || parts.length < 2)
      return sumOf(parts.map(({ cents }) => cents))
    return (months / monthsIn(this.#fields)) * toCents(this.row.price)
  }
}

/** Billing days stay the same after a change, unless one of the plans is paid by the week. */
function billedBy(row: Row, fields: PlanFields, planBefore: PlainPlan | undefined): BillingDay {
  const { starts_on } = row
  const ownDay = { month: monthOfDate(starts_on), date: 1 }
  if (row.billing_day === 'start') ownDay.date = dayOfMonth(starts_on)
  if (!planBefore || fields.cycle_unit === 'week' || planBefore.fields.cycle_unit === 'week')
    return ownDay
  const { month, date } = planBefore.billed
  const thisMonth = monthOfDate(starts_on)
  if (monthsIn(fields) === monthsIn(planBefore.fields)) return { month, date }
  return { month: dateIn(thisMonth, date) > starts_on ? addMonths(thisMonth, -1) : thisMonth, date }
}

function toPlainPlans(rows: Row[], fieldsByName: Map<string, PlanFields>, holds: Hold[]) {
  const plans: PlainPlan[] = []
  for (const row of rows.toSorted((a, b) => (a.starts_on < b.starts_on ? -1 : 1))) {
    if (row.ends_on !== null && row.ends_on < row.starts_on) continue
    const fields = fieldsByName.get(row.plan_name)!
    const planBefore = plans.find(
      (plan) => !row.is_add_on && plan.row.changes_to?.starts_on === row.starts_on,
    )
    plans.push(new PlainPlan(row, fields, billedBy(row, fields, planBefore), holds))
  }
  return plans
}

const withTax = (cents: number) => cents + share(cents, TAX_PERCENT * 1000, 100_000)

async function setUp(plans: PlanFields[]) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const fieldsByName = new Map<string, PlanFields>()
  const addPlan = (name: string, fields: PlanFields, changes: object = {}) => {
    fieldsByName.set(name, fields)
    return dojo.addPlan({ name, entry_limit: null, entry_limit_per: null, ...fields, ...changes })
  }
  const planIds: string[] = []
  for (const [index, fields] of plans.entries())
    planIds.push(await addPlan(`Plan ${'ABC'[index]}`, fields))
  const month: PlanFields = {
    ...{ kind: 'open', price: 31, cycle_unit: 'month', cycle_count: 1 },
    ...{ minimum_months: 0, notice_days: 0 },
  }
  const addOnId = await addPlan('Weapons', month, { is_add_on: true })
  const packId = await dojo.addPlan({
    ...{ name: 'Ten classes', kind: 'pack', price: 150, visits: 10, valid_days: 60 },
    ...{ entry_limit: null, entry_limit_per: null },
  })
  const tax = { kind: 'month', percent: TAX_PERCENT, is_added: true, starts_on: '2027-01-01' }
  await dojo.put('/sales-taxes', { taxes: [{ ...tax, ends_on: null }] })
  return { ...dojo, fieldsByName, planIds, addOnId, packId }
}

async function playYear(plans: PlanFields[], steps: Step[], isServerOff: boolean) {
  const dojo = await setUp(plans)
  const { post, put, id, start, membership, moveClockTo, planIds } = dojo
  const remove = (path: string) => dojo.remove(path)
  const payments: { body: { act_id: string } }[] = []
  let packCents = 0
  let today = FIRST_DAY
  for (const { days: waitedDays, ...action } of steps) {
    today = addDays(today, waitedDays)
    await moveClockTo(`${today}T18:00:00Z`)
    const { subscriptions, holds } = (await membership()) as { subscriptions: Row[]; holds: Hold[] }
    const isOpen = ({ starts_on, ends_on }: Row) =>
      ends_on === null || (ends_on >= today && ends_on >= starts_on)
    const open = subscriptions.filter((row) => isOpen(row) && !row.is_add_on)
    const addOn = subscriptions.find((row) => isOpen(row) && row.is_add_on)
    const current = open.at(-1)
    const path = `/subscriptions/${current?.id}`
    if (action.kind === 'start')
      await start(planIds[action.plan]!, addDays(today, action.inDays), {
        billing_day: action.billing_day,
        first_period: action.full ? 'full' : 'prorated',
      })
    if (action.kind === 'add-on' && addOn) await post(`/subscriptions/${addOn.id}/end`)
    else if (action.kind === 'add-on') await start(dojo.addOnId, today)
    if (action.kind === 'pack') {
      const { status, body } = await post(`/students/${id()}/packs`, { plan_id: dojo.packId })
      // The same pack is sold once a day.
      if (status === 200 && payments.length % 2 === 0) await dojo.undo({ body })
      else if (status === 200) packCents += 15_000
    }
    if (action.kind === 'pay') payments.push(await dojo.pay(action.amount))
    if (action.kind === 'undo payment') {
      const act = payments.pop()
      if (act) await dojo.undo(act)
    }
    if (action.kind === 'hold') {
      const target = { all: null, plan: current?.id ?? null, add_on: addOn?.id ?? null }
      const starts_on = addDays(today, action.inDays)
      await post(`/students/${id()}/holds`, {
        ...{ starts_on, kind: 'injury', billing: action.billing, fee: 12.5 },
        ends_on: action.length === null ? null : addDays(starts_on, action.length),
        ...{ moves_end: action.moves_end, subscription_id: target[action.target] },
      })
    }
    const lastHold = holds.at(-1)
    if (action.kind === 'end hold' && lastHold)
      await post(`/holds/${lastHold.id}/end`, {
        ends_on: action.daysAgo === null ? null : addDays(today, 0 - action.daysAgo),
      })
    if (action.kind === 'reopen hold' && lastHold) await post(`/holds/${lastHold.id}/reopen`)
    if (action.kind === 'vacation') {
      const vacation_from = addDays(today, action.inDays)
      await put(`/students/${id()}/vacation`, {
        vacation_from,
        vacation_until: action.length === null ? null : addDays(vacation_from, action.length),
      })
    }
    if (action.kind === 'delete hold' && lastHold) await remove(`/holds/${lastHold.id}`)
    if (!current) continue
    if (action.kind === 'end') await post(`${path}/end`, action.ground ? { ground: 'moved' } : {})
    if (action.kind === 'keep') await post(`/subscriptions/${open[0]?.id}/keep`)
    if (action.kind === 'undo') await post(`${path}/undo`)
    if (action.kind === 'change')
      await post(`${path}/change`, {
        plan_id: planIds[action.plan],
        ...{ from: action.now ? 'now' : 'next_period', reason: 'Wanted to' },
      })
  }
  const lastDay = addDays(today, isServerOff ? 400 : 62)
  await moveClockTo(`${lastDay}T18:00:00Z`)
  return { ...dojo, lastDay, packCents }
}

/** Nightly jobs skip dojos that are not active, so the last year takes as long as the first. */
async function deactivateDojo(senseiId: string): Promise<void> {
  const superAdmin = await server.signInSuperAdmin()
  const reply = await superAdmin.put(`/super-admin/sensei/${senseiId}/toggle-active`)
  expect(reply.body).toMatchObject({ is_active: false })
}

async function checkYear(plans: PlanFields[], steps: Step[], isServerOff: boolean) {
  const year = await playYear(plans, steps, isServerOff)
  const { subscriptions, holds } = await year.membership()
  const { charges, balance, credit } = await year.account()
  await expectConsistentPayments(overseer, year.sensei.dojoId, year)
  await deactivateDojo(year.sensei.id)
  const plainPlans = toPlainPlans(subscriptions, year.fieldsByName, holds)
  const basePlans = plainPlans.filter(({ row }) => !row.is_add_on)
  for (const [index, { row }] of basePlans.entries())
    expect(row.starts_on > (basePlans[index - 1]?.row.ends_on ?? '')).toBe(true)
  const periods = basePlans.flatMap((plan) => plan.periods(year.lastDay))
  const months = monthsFrom(monthOfDate(FIRST_DAY), monthOfDate(year.lastDay))
  for (const { year: calendarYear, month } of months.slice(0, -1)) {
    const monthText = firstDayOf({ year: calendarYear, month }).slice(0, 7)
    const expected = withTax(
      sumOf(periods.filter(({ first }) => first.startsWith(monthText)).map(({ cents }) => cents)),
    )
    const charge = charges.find(
      (row) => row.kind === 'month' && row.year === calendarYear && row.month === month,
    )
    expect([monthText, toCents(charge?.amount ?? 0)]).toEqual([monthText, expected])
  }
  const addOnCents = plainPlans
    .filter(({ row }) => row.is_add_on)
    .flatMap((plan) => plan.periods(year.lastDay))
    .map(({ cents }) => cents)
  const sumOfKind = (kind: string) =>
    sumOf(charges.filter((row) => row.kind === kind).map(({ amount }) => toCents(amount ?? 0)))
  expect(sumOfKind('plan')).toBe(sumOf(addOnCents))
  expect(sumOfKind('pack')).toBe(year.packCents)
  expect(toCents(balance)).toBe(sumOf(charges.map(({ owed }) => toCents(owed))) - toCents(credit))
}

describe('random years of memberships', () => {
  const years = fc.tuple(
    fc.array(planFields, { minLength: 3, maxLength: 3 }),
    fc.array(step, { minLength: 4, maxLength: 14 }),
    fc.boolean(),
  )
  test('with holds, packs, add-ons, tax and undo cost what plain arithmetic says', async () => {
    await fc.assert(
      fc.asyncProperty(years, (year) => checkYear(...year)),
      {
        endOnFailure: true,
        numRuns: YEARS,
        ...(seed !== null && { seed: Number(seed) }),
      },
    )
  }, 3_600_000)
})
