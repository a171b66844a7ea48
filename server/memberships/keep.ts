import { addDays } from '@tatami/contract/lib/calendar-day'
import { agreedEnd } from '@tatami/contract/plans/ends'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { subscriptions } from '../plans/tables.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { endTermsOf, endBeforeStart, subscriptionById } from './end.ts'
import {
  findCancelledChange,
  findNextPlan,
  findReplacedPlan,
  everStarts,
  type OwnPlans,
} from './replacements.ts'
import { findOverlap } from './start.ts'

const HAS_ENDED = 'This plan has ended. Start it again instead.'

/** Without `nextPlan`, the plan just continues. Otherwise the change to `nextPlan` is restored if
 *  `isChange` is true, and canceled if not. */
type Keeping = { nextPlan: StudentSubscription | null; isChange: boolean }

/** Today in the time zone of the dojo. */
export type DojoDay = { today: string; timeZone: string }

/** An end can be taken back until the last day, and on the day on which it was recorded, if it was
 *  a slip. */
function isKeepable(
  plan: StudentSubscription,
  ownPlans: OwnPlans,
  { today, timeZone }: DojoDay,
): boolean {
  const { cancelled_at, cancelled_by, cancel_asked_on, lastDay } = plan
  if (cancelled_at === null || lastDay === null) return false
  if (everStarts(plan) && lastDay >= today) return true
  const isEndedToday = todayIn(timeZone, new Date(cancelled_at)) === today
  const isEndOfPlanBefore = Boolean(findReplacedPlan(plan, ownPlans)?.cancel_asked_on)
  return (
    cancel_asked_on !== null && cancelled_by !== 'leaving' && isEndedToday && !isEndOfPlanBefore
  )
}

/** Null if the plan cannot be kept. */
function keepingOf(plan: StudentSubscription, ownPlans: OwnPlans, day: DojoDay): Keeping | null {
  if (!isKeepable(plan, ownPlans, day)) return null
  const { today } = day
  const { id } = plan
  const nextPlan = findNextPlan(plan, ownPlans)
  if (nextPlan && nextPlan.starts_on <= today) return null
  const cancelledPlan = findCancelledChange(plan, ownPlans)
  const otherPlans = ownPlans.filter((ownPlan) => ownPlan.id !== id && ownPlan !== nextPlan)
  const lastPlan = cancelledPlan ?? plan
  const days = { starts_on: lastPlan.starts_on, ends_on: agreedEndOf(lastPlan) }
  const overlap = findOverlap(otherPlans, { ...lastPlan, id: lastPlan.plan_id }, days)
  if (overlap) return null
  return { nextPlan: nextPlan ?? cancelledPlan, isChange: cancelledPlan !== null }
}

export const mayKeep = (plan: StudentSubscription, ownPlans: OwnPlans, day: DojoDay): boolean =>
  keepingOf(plan, ownPlans, day) !== null

/** Whoever pays can take back an end, but not a change of plans. */
export const mayKeepOwn = (plan: StudentSubscription, ownPlans: OwnPlans, day: DojoDay): boolean =>
  findNextPlan(plan, ownPlans) === null && mayKeep(plan, ownPlans, day)

export async function dojoDay(tx: Tx, dojoId: string): Promise<DojoDay> {
  const { time_zone: timeZone } = await dojoById(tx, dojoId)
  return { today: todayIn(timeZone), timeZone }
}

/** Undoes the end of a plan, or a change to another plan that has not started. */
export async function keepSubscription(
  tx: Tx,
  caller: PlanCaller,
  id: string,
): Promise<{ actId: string | null }> {
  const { student_id, starts_on } = await subscriptionById(tx, id)
  const day = await dojoDay(tx, caller.dojoId)
  let isKept = false
  const { actId } = await changePlansOf(tx, caller, student_id, starts_on, async () => {
    const ownPlans = await findSubscriptionsOf(tx, student_id)
    const plan = await subscriptionById(tx, id)
    if (plan.cancelled_at === null) return
    const keeping = keepingOf(plan, ownPlans, day)
    if (!keeping || (!caller.isStaff && !mayKeepOwn(plan, ownPlans, day)))
      throw new Refusal(409, HAS_ENDED)
    if (keeping.isChange) await restoreChange(tx, plan, keeping.nextPlan)
    else await continuePlan(tx, plan, keeping.nextPlan)
    isKept = true
  })
  if (isKept) await auditAction(tx, caller, 'subscription kept', { subject_id: student_id })
  return { actId }
}

const NOT_CANCELLED = {
  ...{ cancel_asked_on: null, cancelled_at: null, cancelled_by: null, cancel_reason: null },
  ...{ ground: null, owes_early_end: false, closed_on: null },
}

/** The last day of a plan that nobody ended. A term that was over when the plan was recorded, as of
 *  a member who was imported, ends nothing. */
function agreedEndOf(plan: StudentSubscription): string | null {
  if (plan.kind !== 'term') return null
  const lastDay = agreedEnd(endTermsOf(plan))
  return lastDay !== null && lastDay < plan.created_at.slice(0, 'yyyy-mm-dd'.length)
    ? null
    : lastDay
}

const resume = (tx: Tx, plan: StudentSubscription) =>
  tx
    .update(subscriptions)
    .set({ ends_on: agreedEndOf(plan), ...NOT_CANCELLED })
    .where(eq(subscriptions.id, plan.id))

/** Continues the plan as if nobody had ended it, or changed it to `nextPlan`. */
export async function continuePlan(
  tx: Tx,
  plan: StudentSubscription,
  nextPlan: StudentSubscription | null,
): Promise<void> {
  if (nextPlan) await cancelChange(tx, nextPlan)
  await resume(tx, plan)
}

/** Cancels a plan before its first day, so that it no longer replaces another plan. */
export const cancelChange = (tx: Tx, plan: StudentSubscription) =>
  tx
    .update(subscriptions)
    .set({ ...endBeforeStart(plan), replaces: null, cancelled_at: nowIso(), cancelled_by: 'staff' })
    .where(eq(subscriptions.id, plan.id))

async function restoreChange(
  tx: Tx,
  plan: StudentSubscription,
  nextPlan: StudentSubscription | null,
): Promise<void> {
  if (!nextPlan) return
  await tx
    .update(subscriptions)
    .set({
      ...NOT_CANCELLED,
      ends_on: addDays(nextPlan.starts_on, -1),
      ...{ cancelled_at: nowIso(), cancelled_by: 'staff' },
    })
    .where(eq(subscriptions.id, plan.id))
  await resume(tx, nextPlan)
}

/** Takes up plans that ended when a student left, with the changes that were planned. */
export async function resumeAll(tx: Tx, endedPlans: OwnPlans): Promise<void> {
  for (const plan of endedPlans) {
    const nextPlan = findCancelledChange(plan, endedPlans)
    if (nextPlan) await restoreChange(tx, plan, nextPlan)
    else if (everStarts(plan) || !endedPlans.some(({ id }) => id === plan.replaces))
      await resume(tx, plan)
  }
}
