import {
  addMonths,
  firstDayOf,
  MONTHS,
  type Month,
  monthOfDate,
  monthsBetween,
} from '@tatami/contract/lib/calendar-day'
import { findSalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { toDollars } from '@tatami/contract/lib/money'
import type { ChargePreview } from '@tatami/contract/memberships/act-preview'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { type BillingRow, dueDay, isChargedForMonth } from '../dues/who-pays.ts'
import { monthDues } from '../dues/month-dues.ts'
import { pricesIn } from '../dues/month-prices.ts'
import { billingColumns } from '../ledger/ledger.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import {
  planMonthOf,
  readPlanRules,
  type StudentSubscription,
  withBasePlans,
} from '../plans/plans.ts'
import { students } from '../students/tables.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { type OwnCharge, ownChargesUntil } from '../dues/plans/own-charges.ts'

/** A plan of a year still shows its next sum. */
const MONTHS_AHEAD = 14
/** No plan has a longer term. */
const MOST_MONTHS_AHEAD = 120

export type UpcomingCharge = ChargePreview & {
  kind: OwnCharge['kind'] | 'month'
  /** Null for a month, which several plans may share. */
  subscription_id: string | null
}

type Days = {
  /** A plan that began earlier also has the fees since this day, which it charges when it is
   *  recorded. */
  firstFeeDay?: string
  /** The last day that matters, if it is later than the next months. */
  until?: string | null
}

/** What will fall due from today on, the next sum first, and what is owed of this month. */
export async function findUpcomingCharges(
  tx: Tx,
  dojoId: string,
  studentId: string,
  today: string,
  { firstFeeDay = today, until = null }: Days = {},
): Promise<UpcomingCharge[]> {
  const monthCount = countMonthsAhead(today, until)
  const months = await upcomingMonths(tx, dojoId, studentId, today, monthCount)
  const lastDay = firstDayOf(addMonths(monthOfDate(today), monthCount))
  const ownCharges = await upcomingOwnCharges(tx, studentId, lastDay, firstFeeDay)
  return [...months, ...ownCharges].toSorted((a, b) => (a.due_on < b.due_on ? -1 : 1))
}

function countMonthsAhead(today: string, lastDay: string | null): number {
  if (lastDay === null) return MONTHS_AHEAD
  const count = monthsBetween(monthOfDate(today), monthOfDate(lastDay)) + 1
  return Math.min(Math.max(count, MONTHS_AHEAD), MOST_MONTHS_AHEAD)
}

async function upcomingMonths(
  tx: Tx,
  dojoId: string,
  studentId: string,
  today: string,
  monthCount: number,
): Promise<UpcomingCharge[]> {
  const thisMonth = monthOfDate(today)
  const rows = await tx.select(billingColumns).from(students).where(eq(students.id, studentId))
  const [storedStudent] = await withBasePlans(tx, rows)
  if (!storedStudent) return []
  const student = asMember(storedStudent)
  // Somebody on trial owes nothing yet, so this month is only what a plan to come costs.
  const firstMonth = storedStudent.is_trial ? thisMonth : addMonths(thisMonth, 1)
  const months = Array.from({ length: monthCount }, (_, index) => addMonths(firstMonth, index))
  const priceOf = await pricesIn(tx, dojoId, months, undefined, [student])
  const due = (await monthDues(tx, dojoId, thisMonth, [studentId])).get(studentId)
  const owedNow = due?.owed ?? 0
  return [
    ...(due && owedNow > 0
      ? [monthCharge(thisMonth, due.since, { cents: owedNow, reason: due.reason })]
      : []),
    ...months
      .filter((month) => !storedStudent.is_trial || planMonthOf(student.base_plans, month) !== null)
      .filter((month) => isChargedForMonth(student, month) && priceOf(student, month).cents > 0)
      .map((month) => {
        const { cents, reason } = priceOf(student, month)
        // A price that differs from the stored fee has the name of the plan as its reason.
        const isPlanName = reason === planMonthOf(student.base_plans, month)?.name
        const price = { cents, reason: isPlanName ? null : reason }
        return monthCharge(month, dueDay(student, month), price)
      }),
  ]
}

/** A trial ends with the first plan, which may be still to come. */
function asMember<Student extends BillingRow>(student: Student): Student {
  const [firstPlan] = student.base_plans.plans
  if (!student.is_trial || !firstPlan) return student
  return { ...student, is_trial: false, pays_since: firstPlan.starts_on }
}

const monthCharge = (
  month: Month,
  due_on: string,
  { cents, reason }: { cents: number; reason: string | null },
): UpcomingCharge => ({
  name: `${MONTHS[month.month]} ${month.year}`,
  ...{ kind: 'month' as const, due_on, amount: toDollars(cents), reason, subscription_id: null },
})

async function upcomingOwnCharges(
  tx: Tx,
  studentId: string,
  lastDay: string,
  firstFeeDay: string,
): Promise<UpcomingCharge[]> {
  const rules = await readPlanRules(tx)
  const { taxes } = await readTaxSettings(tx)
  const nameOf = (charge: OwnCharge, { plan_name }: StudentSubscription) => {
    if (charge.kind === 'sign_up') return `Sign-up fee: ${plan_name}`
    if (charge.kind === 'early_end') return `Fee for ending early: ${plan_name}`
    return charge.kind === 'yearly' ? `Yearly fee: ${plan_name}` : (charge.note ?? plan_name)
  }
  return (await findSubscriptionsOf(tx, studentId)).flatMap((subscription) =>
    ownChargesUntil(subscription, lastDay, rules)
      .filter(({ charged_on }) => charged_on >= firstFeeDay)
      .map((charge) => ({
        name: nameOf(charge, subscription),
        kind: charge.kind,
        due_on: charge.charged_on,
        amount: toDollars(
          withAddedTax(charge.cents, findSalesTax(taxes, charge.kind, charge.charged_on)),
        ),
        reason: charge.reason,
        subscription_id: charge.subscription_id,
      })),
  )
}
