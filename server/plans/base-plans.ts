import {
  addDays,
  daysInMonth,
  firstDayOf,
  lastDayOf,
  type Month,
} from '@tatami/contract/lib/calendar-day'
import { prorateCents, sumCents } from '@tatami/contract/lib/money'
import {
  type BilledHold,
  holdOnDay,
  endAfterHolds,
  splitByHolds,
} from '@tatami/contract/plans/billed-holds'
import {
  countDaysByBilling,
  calculateMonthSum,
  toMonthlyCents,
} from '@tatami/contract/plans/periods'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { pluck } from '../lib/rows.ts'
import { feeBeforePlanCents, type StudentSubscription } from './find-subscriptions.ts'
import { type BilledRow, type Billing, matchesStudents, readBilling } from './read-billing.ts'
import { subscriptions } from './tables.ts'

/** The fields of a subscription that set a month's price. Add-ons are not included. */
type BasePlan = Pick<
  StudentSubscription,
  'starts_on' | 'lastDay' | 'closed_on' | 'plan_name' | 'billing' | 'feeBeforePlanCents'
> & {
  /** The day on which the plan was entered, in the time zone of the dojo. */
  recorded_on: string
}
/** One student's plans, without add-ons. */
export type BasePlans = {
  plans: readonly BasePlan[]
  /** Caches each month's price, because lists ask for the same month several times. */
  months: Map<number, PlanMonth | null>
}

export const NO_PLANS: BasePlans = { plans: [], months: new Map() }

type StudentKey = { id: string; has_subscription: boolean }

/** A plan that was ended before it began is left out. */
const basePlanRowsSql = (studentIds: readonly string[]) => sql`
  select ${subscriptions.id}, ${subscriptions.student_id}, ${subscriptions.plan_id},
    ${subscriptions.version_id}, ${subscriptions.starts_on}::text, ${subscriptions.ends_on}::text,
    ${subscriptions.closed_on}::text, ${subscriptions.billing_day}, ${subscriptions.first_period},
    ${subscriptions.cancel_asked_on}::text, ${subscriptions.cancelled_at}::text,
    ${subscriptions.billing_month}::text, ${subscriptions.billing_date},
    ${subscriptions.charges_from}::text, ${subscriptions.bound_until}::text,
    ${subscriptions.told_renewals}::text[], ${feeBeforePlanCents} as fee_before_cents,
    (${subscriptions.created_at} at time zone (select ${dojos.time_zone} from ${dojos}
      where ${dojos.id} = ${subscriptions.dojo_id}))::date::text as recorded_on
  from ${subscriptions}
  where ${matchesStudents(subscriptions.student_id, studentIds)}
    and not ${subscriptions.is_add_on}
    and (${subscriptions.ends_on} is null or ${subscriptions.ends_on} >= ${subscriptions.starts_on})
  order by ${subscriptions.starts_on}, ${subscriptions.id}`

type BasePlanRow = BilledRow & {
  closed_on: string | null
  fee_before_cents: number
  recorded_on: string
}

/** By student id. Students who never had a plan need no query. Called for whole lists, so it reads
 *  only the columns that prices need. */
export async function findBasePlans(
  tx: Tx,
  students: readonly StudentKey[],
): Promise<Map<string, BasePlans>> {
  const studentIds = pluck(
    students.filter(({ has_subscription }) => has_subscription),
    'id',
  )
  if (studentIds.length === 0) return new Map()
  const { rows } = await tx.execute<BasePlanRow>(basePlanRowsSql(studentIds))
  if (rows.length === 0) return new Map()
  const billingOf = await readBilling(tx, rows)
  const plansByStudent = Map.groupBy(rows, ({ student_id }) => student_id)
  return new Map(
    [...plansByStudent].map(([id, ownRows]) => [
      id,
      { plans: ownRows.map((row) => toBasePlan(row, billingOf(row))), months: new Map() },
    ]),
  )
}

const toBasePlan = (
  { starts_on, closed_on, fee_before_cents, recorded_on }: BasePlanRow,
  { plan_name, billing }: Billing,
): BasePlan => ({
  ...{ starts_on, closed_on, plan_name, billing, recorded_on },
  ...{ lastDay: endAfterHolds(billing), feeBeforePlanCents: fee_before_cents },
})

export async function withBasePlans<Row extends StudentKey>(
  tx: Tx,
  rows: readonly Row[],
): Promise<(Row & { base_plans: BasePlans })[]> {
  const plansByStudent = await findBasePlans(tx, rows)
  return rows.map((row) => ({ ...row, base_plans: plansByStudent.get(row.id) ?? NO_PLANS }))
}

type MonthPart = { cents: number; due_on: string | null; reason: string | null }
export type PlanMonth = MonthPart & {
  /** The names of the plans, such as "Twice a week". */
  name: string
}

/** What a student's plans cost in a month. Null if the monthly fee applies instead. */
export function planMonthOf({ plans, months }: BasePlans, month: Month): PlanMonth | null {
  if (plans.length === 0) return null
  const key = month.year * 12 + month.month
  const calculatedMonth = months.get(key)
  if (calculatedMonth !== undefined) return calculatedMonth
  const planMonth = calculateMonth(plans, month)
  months.set(key, planMonth)
  return planMonth
}

const plansIn = (basePlans: readonly BasePlan[], month: Month): BasePlan[] =>
  basePlans.filter(
    (plan) =>
      plan.starts_on <= lastDayOf(month) &&
      (plan.lastDay === null || plan.lastDay >= firstDayOf(month)),
  )

/** In cents. A family is ordered by `onFirstDay`, and students for whom it is equal by `laterOn`. */
export type UsualPrice = { onFirstDay: number; laterOn: number }

/** What a student usually pays in a month. What starts, changes or is entered after the 1st does
 *  not reorder the family before the next month, because brothers and sisters may have paid
 *  already. */
export function usualPriceIn({ plans }: BasePlans, month: Month): UsualPrice {
  const firstDay = firstDayOf(month)
  const knownPlan = plans.find(
    ({ starts_on, recorded_on, lastDay }) =>
      starts_on <= firstDay && recorded_on <= firstDay && (lastDay === null || lastDay >= firstDay),
  )
  if (knownPlan) return { onFirstDay: monthlyPriceOn(knownPlan, firstDay), laterOn: 0 }
  const [firstPlan] = plansIn(plans, month)
  if (!firstPlan) return { onFirstDay: 0, laterOn: 0 }
  return {
    onFirstDay: firstPlan.feeBeforePlanCents,
    laterOn: monthlyPriceOn(firstPlan, firstPlan.starts_on),
  }
}

function monthlyPriceOn({ billing: { prices, cycle } }: BasePlan, day: string): number {
  const price = prices.findLast(({ from }) => from <= day) ?? prices[0]
  return toMonthlyCents(price?.cents ?? 0, cycle)
}

/** True if the student has a plan in the month, but pays nothing for any day because of holds. */
export function isHeldAllMonth({ plans }: BasePlans, month: Month): boolean {
  const runningPlans = plansIn(plans, month)
  const [firstPlan] = runningPlans
  if (!firstPlan || feeBeforePlan(firstPlan, month).length > 0) return false
  return runningPlans.every(({ starts_on, lastDay, billing: { holds } }) => {
    if (holds.length === 0) return false
    const days = { from: laterDay(starts_on, firstDayOf(month)), until: lastDayOf(month) }
    if (lastDay !== null && lastDay < days.until) days.until = lastDay
    return splitByHolds(holds, days).every((part) => isFreeHold(holdOnDay(holds, part.from)))
  })
}

/** The plan's own days of a prorated hold are free, too. */
const isFreeHold = (hold: BilledHold | null): boolean =>
  hold !== null && (hold.billing === 'free' || hold.billing === 'prorated')

const laterDay = (a: string, b: string): string => (a > b ? a : b)

function calculateMonth(basePlans: readonly BasePlan[], month: Month): PlanMonth | null {
  const firstDay = firstDayOf(month)
  const runningPlans = plansIn(basePlans, month)
  const [firstPlan] = runningPlans
  if (!firstPlan) {
    // The student's fee is the ended plan's price until the nightly job closes the plan, so the
    // month costs 0 instead of that fee.
    const endedPlan = basePlans.findLast(
      (plan) => plan.closed_on === null && plan.lastDay !== null && plan.lastDay < firstDay,
    )
    return endedPlan ? { cents: 0, due_on: null, reason: null, name: endedPlan.plan_name } : null
  }
  if (runningPlans.length === 1 && firstPlan.starts_on <= firstDay)
    return { ...calculateMonthSum(firstPlan.billing, month), name: firstPlan.plan_name }
  const feeParts = feeBeforePlan(firstPlan, month)
  const parts = runningPlans.map((plan) => calculateMonthSum(plan.billing, month))
  const allParts = sumParts([...feeParts, ...parts])
  const due_on = dueDayOfParts(sumParts(feeParts), sumParts(parts))
  return { ...allParts, due_on, name: pluck(runningPlans, 'plan_name').join(', ') }
}

/** A month has one due day. The larger part decides, so that a fee which was due on the 1st stays
 *  due, but a plan is not owed weeks before it starts. */
function dueDayOfParts(feePart: MonthPart, planPart: MonthPart): string | null {
  const isMostlyFee = feePart.cents >= planPart.cents
  return (isMostlyFee ? feePart.due_on : null) ?? planPart.due_on ?? feePart.due_on
}

function sumParts(parts: readonly MonthPart[]): MonthPart {
  const dueDays = parts.flatMap(({ due_on }) => due_on ?? []).toSorted()
  const reasons = new Set(parts.flatMap(({ reason }) => reason ?? []))
  return {
    cents: sumCents(pluck(parts, 'cents')),
    due_on: dueDays[0] ?? null,
    reason: [...reasons].join(', ') || null,
  }
}

/** Days before the first plan are charged a prorated share of the monthly fee, except on hold. */
function feeBeforePlan(
  { starts_on, feeBeforePlanCents: feeCents, billing: { holds } }: BasePlan,
  month: Month,
): MonthPart[] {
  const firstDay = firstDayOf(month)
  if (starts_on <= firstDay || feeCents === 0) return []
  const daysBefore = { from: firstDay, until: addDays(starts_on, -1) }
  const { charged, byFee } = countDaysByBilling(holds, daysBefore)
  const monthLength = daysInMonth(month)
  const holdFees = [...byFee].map(([fee, days]) => prorateCents(fee, days, monthLength))
  const cents = prorateCents(feeCents, charged, monthLength) + sumCents(holdFees)
  if (cents === 0) return []
  const reason =
    charged > 0 ? `${charged} of ${monthLength} days of the monthly fee` : 'fee while on hold'
  return [{ cents, due_on: firstDay, reason }]
}
