import { addDays } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import type { SubscriptionChange } from '@tatami/contract/memberships/memberships'
import { termOn } from '@tatami/contract/plans/ends'
import { monthlyCents, periodsUntil } from '@tatami/contract/plans/periods'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { subscriptions } from '../plans/tables.ts'
import { changePlansOf } from './corrections.ts'
import { endTermsOf, subscriptionById } from './end.ts'
import { findPlanOnSale, insertSubscription, type PlanOnSale, type StaffCaller } from './start.ts'
import { monthlyPriceOn } from './student-fees.ts'

const HAS_ENDED = 'This plan ends. Start another one instead.'
const REASON_NEEDED = 'Say why the plan gets cheaper within the minimum term'

/** Ends a plan on the day before the new one begins: today, or with the next period. */
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
    requireChangeable(subscription, offer, today)
    const starts_on = firstDayOfNewPlan(subscription, form, today)
    if (isDowngrade(subscription, offer, starts_on) && !form.reason)
      throw invalid('reason', REASON_NEEDED)
    await endForChange(tx, subscription, addDays(starts_on, -1), form)
    const { billing_day } = subscription
    return insertSubscription(tx, caller, student_id, offer, {
      ...{ plan_id: form.plan_id, starts_on, billing_day, first_period: 'prorated' },
      replaces: id,
    })
  })
  await auditAction(tx, caller, 'subscription changed', { subject_id: student_id })
  return { subscriptionId: result, actId }
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

/** A plan that has not begun is replaced from its first day on. */
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
  const term = termOn(endTermsOf(subscription), day)
  if (term === null || term.until < day) return false
  const cycle = { unit: version.cycle_unit, count: version.cycle_count }
  return monthlyCents(toCents(version.price), cycle) < toCents(monthlyPriceOn(subscription, day))
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
