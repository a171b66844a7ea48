import { addDays, addMonths, dateInMonth, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import type { SubscriptionChange } from '@tatami/contract/memberships/memberships'
import { lastBoundDay } from '@tatami/contract/plans/ends'
import { anchorOf, monthsInCycle } from '@tatami/contract/plans/period-days'
import { toMonthlyCents, periodsUntil } from '@tatami/contract/plans/periods'
import { formatFullDay } from '@tatami/contract/plans/plan-days'
import { and, eq, gte, isNull, or } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { holds, subscriptions } from '../plans/tables.ts'
import { changePlansOf, findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { endTermsOf, subscriptionById } from './end.ts'
import { findNextPlan } from './replacements.ts'
import { findPlanOnSale, insertSubscription, type PlanOnSale, type StaffCaller } from './start.ts'
import { monthlyPriceOn } from '../dues/plans/student-fees.ts'

const HAS_ENDED = 'This plan ends. Start another one instead.'
const NO_TERM = 'This plan has no minimum term that could be shortened'
const NOT_LATER = 'The minimum term can only be shortened'
const SHORTER_NEEDS_REASON = 'Say why the minimum term gets shorter'
const REASON_NEEDED = 'Say why the plan gets cheaper within the minimum term'

/** Ends a plan on the day before the new one starts: today, or with the next period. The
 *  minimum term and the billing day stay the same. */
export async function changeSubscription(
  tx: Tx,
  caller: StaffCaller,
  id: string,
  form: SubscriptionChange,
): Promise<{ subscriptionId: string; actId: string | null }> {
  const { student_id, starts_on: firstDay } = await subscriptionById(tx, id)
  const today = await todayOf(tx, caller.dojoId)
  const planCaller = { ...caller, isStaff: true }
  const { result, actId } = await changePlansOf(tx, planCaller, student_id, firstDay, async () => {
    const subscription = await subscriptionById(tx, id)
    const offer = await findPlanOnSale(tx, form.plan_id)
    const ownPlans = await findSubscriptionsOf(tx, student_id)
    refuseSecondChange(findNextPlan(subscription, ownPlans))
    requireChangeable(subscription, offer, today)
    const starts_on = firstDayOfNewPlan(subscription, form, today)
    await refuseOnHold(tx, subscription, starts_on)
    if (isDowngrade(subscription, offer, starts_on) && !form.reason)
      throw invalid('reason', REASON_NEEDED)
    const promisedUntil = findPromise(subscription, starts_on)
    const bound_until = chooseBinding(promisedUntil, starts_on, form)
    await endForChange(tx, subscription, addDays(starts_on, -1), form)
    const newId = await insertSubscription(tx, caller, student_id, offer, {
      ...{ plan_id: form.plan_id, starts_on, replaces: id, bound_until },
      ...periodsAfter(subscription, offer, starts_on, today),
    })
    await refuseShorterTerm(tx, newId, bound_until, form)
    return newId
  })
  await auditAction(tx, caller, 'subscription changed', { subject_id: student_id })
  return { subscriptionId: result, actId }
}

function refuseSecondChange(nextPlan: StudentSubscription | null): void {
  if (nextPlan)
    throw new Refusal(
      409,
      `This plan changes to ${nextPlan.plan_name}. Change that plan, or keep this one first.`,
    )
}

/** A hold of just this plan would not apply to the new one, so days on hold would be charged. */
async function refuseOnHold(
  tx: Tx,
  { id, plan_name }: StudentSubscription,
  startsOn: string,
): Promise<void> {
  const isAfterChange = or(isNull(holds.ends_on), gte(holds.ends_on, startsOn))
  const [hold] = await tx
    .select(pick(holds, 'ends_on'))
    .from(holds)
    .where(and(eq(holds.subscription_id, id), isAfterChange))
    .limit(1)
  if (!hold) return
  const end = hold.ends_on === null ? '' : ` until ${formatFullDay(hold.ends_on)}`
  throw new Refusal(
    409,
    `${plan_name} is on hold${end}. End this hold first, and hold the new plan after the change.`,
  )
}

/** The last day that was promised with the plan, apart from holds from `day` on. */
function findPromise(plan: StudentSubscription, day: string): string | null {
  const dayBefore = addDays(day, -1)
  const holdsBefore = plan.billing.holds
    .filter(({ from }) => from < day)
    .map((hold) => ({
      ...hold,
      until: hold.until === null || hold.until > dayBefore ? dayBefore : hold.until,
    }))
  return lastBoundDay({ ...endTermsOf(plan), holds: holdsBefore }, day)
}

function chooseBinding(
  promisedUntil: string | null,
  startsOn: string,
  { bound_until, reason }: SubscriptionChange,
): string | null {
  if (!bound_until || bound_until === promisedUntil) return promisedUntil
  if (promisedUntil === null) throw invalid('bound_until', NO_TERM)
  if (bound_until > promisedUntil) throw invalid('bound_until', NOT_LATER)
  if (!reason) throw invalid('reason', SHORTER_NEEDS_REASON)
  return bound_until < startsOn ? null : bound_until
}

/** A plan that ends by itself must not end before what was promised, unless there is a reason. */
async function refuseShorterTerm(
  tx: Tx,
  newId: string,
  boundDay: string | null,
  { reason }: SubscriptionChange,
): Promise<void> {
  const { lastDay } = await subscriptionById(tx, newId)
  const isShorter = boundDay !== null && lastDay !== null && lastDay < boundDay
  if (isShorter && !reason) throw invalid('reason', SHORTER_NEEDS_REASON)
}

/** The billing day stays, so that a plan from the 31st returns to the 31st. */
function periodsAfter(
  { billing, billing_day, first_period, starts_on: oldStart }: StudentSubscription,
  { version }: PlanOnSale,
  startsOn: string,
  today: string,
): Pick<Parameters<typeof insertSubscription>[4], 'billing_day' | 'first_period' | 'anchor'> {
  const cycle = { unit: version.cycle_unit, count: version.cycle_count }
  if (oldStart > today && !billing.anchor) return { billing_day, first_period }
  const plain = { billing_day, first_period: 'prorated' } as const
  if (cycle.unit === 'week' || billing.cycle.unit === 'week') return plain
  const { month, date } = anchorOf(billing)
  const isSameLength = monthsInCycle(cycle) === monthsInCycle(billing.cycle)
  const firstMonth = monthOfDate(startsOn)
  const hasBegun = dateInMonth(firstMonth, date) <= startsOn
  const lastBillingMonth = hasBegun ? firstMonth : addMonths(firstMonth, -1)
  return { ...plain, anchor: { month: isSameLength ? month : lastBillingMonth, date } }
}

function requireChangeable(
  { cancelled_at, lastDay, is_add_on, version_id }: StudentSubscription,
  { plan, version }: PlanOnSale,
  today: string,
): void {
  if (cancelled_at !== null || (lastDay !== null && lastDay < today))
    throw new Refusal(409, HAS_ENDED)
  if (version.id === version_id)
    throw new Refusal(409, 'The student has this plan already, with the same terms')
  if (plan.is_add_on !== is_add_on)
    throw invalid('plan_id', 'An add-on cannot replace a plan. Start or end it instead.')
}

/** A plan that has not started is replaced from its first day on. */
function firstDayOfNewPlan(
  { starts_on, billing }: StudentSubscription,
  { from }: SubscriptionChange,
  today: string,
): string {
  if (starts_on > today) return starts_on
  if (from === 'now') return today
  const period = periodsUntil(billing, today).at(-1)
  return addDays(period?.until ?? today, 1)
}

/** Whether a member bound to a minimum term would pay less. */
function isDowngrade(
  subscription: StudentSubscription,
  { version }: PlanOnSale,
  day: string,
): boolean {
  if (lastBoundDay(endTermsOf(subscription), day) === null) return false
  const cycle = { unit: version.cycle_unit, count: version.cycle_count }
  return toMonthlyCents(toCents(version.price), cycle) < toCents(monthlyPriceOn(subscription, day))
}

const endForChange = (
  tx: Tx,
  { id }: StudentSubscription,
  ends_on: string,
  { reason = null }: SubscriptionChange,
) =>
  tx
    .update(subscriptions)
    .set({ ends_on, cancelled_at: nowIso(), cancelled_by: 'staff', cancel_reason: reason })
    .where(eq(subscriptions.id, id))
