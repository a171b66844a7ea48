import { firstDayOf, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import { eq, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { lockStudent } from '../ledger/ledger.ts'
import { nowIso } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { subscriptionPrices, subscriptions } from '../plans/tables.ts'
import { followVacation } from '../plans/vacation-holds.ts'
import { students } from '../students/tables.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { resumeAll } from './keep.ts'
import { isInForce, monthlyPriceOn, updateStudentFee } from '../dues/plans/student-fees.ts'

export { tellingActs } from './act-notices.ts'
export { startRequestedPlan } from './requested-plan.ts'
export type { StudentNotice } from './tell.ts'

type Caller = Pick<PlanCaller, 'id' | 'dojoId'>

/** Ends all plans of a student who leaves, without notice. Days that were paid become credit. */
export async function endPlansOnLeaving(
  tx: Tx,
  caller: Caller,
  studentId: string,
  leftOn: string,
): Promise<void> {
  const today = await todayOf(tx, caller.dojoId)
  const openPlans = (await findSubscriptionsOf(tx, studentId)).filter(
    (plan) => plan.closed_on === null && (plan.lastDay === null || plan.lastDay > leftOn),
  )
  const [firstPlan] = openPlans
  if (!firstPlan) return
  const firstDay = firstPlan.starts_on
  await changePlansOf(tx, { ...caller, isStaff: true }, studentId, firstDay, async () => {
    for (const { id, starts_on } of openPlans) {
      const hasNotBegun = starts_on > leftOn
      await tx
        .update(subscriptions)
        .set({
          ends_on: hasNotBegun ? sql`${subscriptions.starts_on} - 1` : leftOn,
          ...{ cancel_asked_on: today, cancelled_at: nowIso(), cancelled_by: 'leaving' },
        })
        .where(eq(subscriptions.id, id))
    }
  })
}

/** If a student who left today is back, that was undone, and the plans go on. */
export async function keepPlansOnReturn(tx: Tx, caller: Caller, studentId: string): Promise<void> {
  const { time_zone } = await dojoById(tx, caller.dojoId)
  const today = todayIn(time_zone)
  const endedToday = (await findSubscriptionsOf(tx, studentId)).filter(
    ({ cancelled_by, cancelled_at }) =>
      cancelled_by === 'leaving' &&
      cancelled_at !== null &&
      todayIn(time_zone, new Date(cancelled_at)) === today,
  )
  const [firstPlan] = endedToday
  if (!firstPlan) return
  const firstDay = firstPlan.starts_on
  await changePlansOf(tx, { ...caller, isStaff: true }, studentId, firstDay, () =>
    resumeAll(tx, endedToday),
  )
}

/** Call it after a call of the specification changed a vacation. What was charged for days on hold
 *  becomes credit. Returns the id of the act in the ledger, or null if it wrote nothing. */
export async function followVacationOf(
  tx: Tx,
  caller: Caller,
  studentId: string,
  today: string,
): Promise<string | null> {
  const follow = () => followVacation(tx, studentId, today)
  const [student] = await tx
    .select({ has_subscription: students.has_subscription })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student?.has_subscription) {
    await follow()
    return null
  }
  const [firstPlan] = await findSubscriptionsOf(tx, studentId)
  // A period that began long before the vacation may have been charged, such as a year.
  const firstDay = firstPlan && firstPlan.starts_on < today ? firstPlan.starts_on : today
  const staffCaller = { ...caller, isStaff: true }
  const { actId } = await changePlansOf(tx, staffCaller, studentId, firstDay, follow)
  return actId
}

const OTHER_CYCLE = (planName: string) =>
  `This student's price comes from the plan ${planName}. Change it on the Membership card.`

/**
 * Sets what a student pays for the plan in force instead of the monthly fee, from this or the next
 * month on. Returns false for a student without a plan. 409 if the plan is not paid by the month.
 */
export async function setPlanPrice(
  tx: Tx,
  caller: Caller,
  studentId: string,
  { fee, startsNextMonth }: { fee: number; startsNextMonth: boolean },
): Promise<boolean> {
  const today = await todayOf(tx, caller.dojoId)
  const plan = (await findSubscriptionsOf(tx, studentId)).find(
    (subscription) => !subscription.is_add_on && isInForce(subscription, today),
  )
  if (!plan) return false
  if (toCents(fee) === toCents(monthlyPriceOn(plan, today))) return true
  const { cycle } = plan.billing
  if (cycle.unit !== 'month' || cycle.count !== 1)
    throw new Refusal(409, OTHER_CYCLE(plan.plan_name))
  const month = monthOfDate(today)
  const firstDay = firstDayOf(startsNextMonth ? nextMonth(month) : month)
  const starts_on = firstDay < plan.starts_on ? plan.starts_on : firstDay
  // A month that was charged keeps its price, as when the monthly fee changes.
  await lockStudent(tx, studentId)
  const price = { price: fee, reason: null, created_by: caller.id }
  await tx
    .insert(subscriptionPrices)
    .values({ ...price, student_id: studentId, subscription_id: plan.id, starts_on })
    .onConflictDoUpdate({
      target: [
        subscriptionPrices.dojo_id,
        subscriptionPrices.subscription_id,
        subscriptionPrices.starts_on,
      ],
      set: price,
    })
  await updateStudentFee(tx, await findSubscriptionsOf(tx, studentId), today)
  await auditAction(tx, caller, 'subscription price set', { subject_id: studentId })
  return true
}
