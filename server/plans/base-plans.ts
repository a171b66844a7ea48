import {
  daysBetween,
  daysInMonth,
  firstDayOf,
  lastDayOf,
  type Month,
} from '@tatami/contract/lib/calendar-day'
import { prorateCents, sumCents } from '@tatami/contract/lib/money'
import { monthCents } from '@tatami/contract/plans/periods'
import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
import { findSubscriptions, type StudentSubscription } from './find-subscriptions.ts'
import { subscriptions } from './tables.ts'

/** Subscriptions to plans that are no add-on. They make the price of a student's month. */
export type BasePlans = readonly StudentSubscription[]

const NO_PLANS: BasePlans = []

type StudentKey = { id: string; has_subscription: boolean }

/** By student id. Students who never had a plan need no query. */
export async function findBasePlans(
  tx: Tx,
  students: readonly StudentKey[],
): Promise<Map<string, BasePlans>> {
  const studentIds = pluck(
    students.filter(({ has_subscription }) => has_subscription),
    'id',
  )
  if (studentIds.length === 0) return new Map()
  const condition = and(
    equalsAny(subscriptions.student_id, studentIds),
    eq(subscriptions.is_add_on, false),
  )
  if (!condition) return new Map()
  const rows = await findSubscriptions(tx, condition)
  return Map.groupBy(rows.filter(hasDays), ({ student_id }) => student_id)
}

/** False for a plan that was ended before it began. */
const hasDays = ({ starts_on, ends_on }: StudentSubscription): boolean =>
  ends_on === null || ends_on >= starts_on

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

/** The months of a student's plans that were calculated, because lists ask for each several times. */
const calculatedMonths = new WeakMap<BasePlans, Map<string, PlanMonth | null>>()

/** What a student's plans cost in a month. Null if the monthly fee applies instead. */
export function planMonthOf(basePlans: BasePlans, month: Month): PlanMonth | null {
  if (basePlans.length === 0) return null
  const months = calculatedMonths.get(basePlans) ?? new Map<string, PlanMonth | null>()
  calculatedMonths.set(basePlans, months)
  const key = firstDayOf(month)
  const calculatedMonth = months.get(key)
  if (calculatedMonth !== undefined) return calculatedMonth
  const planMonth = calculateMonth(basePlans, month)
  months.set(key, planMonth)
  return planMonth
}

function calculateMonth(basePlans: BasePlans, month: Month): PlanMonth | null {
  const firstDay = firstDayOf(month)
  const lastDay = lastDayOf(month)
  const runningPlans = basePlans.filter(
    (plan) => plan.starts_on <= lastDay && (plan.lastDay === null || plan.lastDay >= firstDay),
  )
  const [firstPlan] = runningPlans
  if (!firstPlan) {
    // Until the schedule has closed it, the fee of the student is still the price of the plan.
    const endedPlan = basePlans.findLast(
      (plan) => plan.closed_on === null && plan.lastDay !== null && plan.lastDay < firstDay,
    )
    return endedPlan ? { cents: 0, due_on: null, reason: null, name: endedPlan.plan_name } : null
  }
  const parts = runningPlans.map((plan) => monthCents(plan.billing, month))
  const name = pluck(runningPlans, 'plan_name').join(', ')
  return { ...sumParts([...feeBeforePlan(firstPlan, month), ...parts]), name }
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

/** The days before the first plan cost their part of the monthly fee. */
function feeBeforePlan(
  { starts_on, feeBeforeCents }: StudentSubscription,
  month: Month,
): MonthPart[] {
  const firstDay = firstDayOf(month)
  const days = daysBetween(firstDay, starts_on)
  if (days <= 0 || feeBeforeCents === 0) return []
  const daysInAll = daysInMonth(month)
  return [
    {
      cents: prorateCents(feeBeforeCents, days, daysInAll),
      due_on: firstDay,
      reason: `${days} of ${daysInAll} days of the monthly fee`,
    },
  ]
}
