import { firstDayOf, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { lockStudent } from '../ledger/ledger.ts'
import { Refusal } from '../lib/refusal.ts'
import { subscriptionPrices } from '../plans/tables.ts'
import { followVacation } from '../plans/vacation-holds.ts'
import { students } from '../students/tables.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { isInForce, monthlyPriceOn, updateStudentFee } from '../dues/plans/student-fees.ts'
import { noticeOfOwnPrice } from './act-notices.ts'
import type { StudentNotice } from './tell.ts'

export { tellingActs } from './act-notices.ts'
export { describePlansOnLeaving, endPlansOnLeaving, keepPlansOnReturn } from './leaving.ts'
export { startRequestedPlan } from './requested-plan.ts'
export type { StudentNotice } from './tell.ts'

type Caller = Pick<PlanCaller, 'id' | 'dojoId'>

/** Call it after a call of the specification changed a vacation. What was charged for days on hold
 *  becomes credit. Returns the id of the act in the ledger, or null if it wrote nothing. */
export async function followVacationOf(
  tx: Tx,
  caller: Caller,
  studentId: string,
  today: string,
  options: { isBack?: boolean } = {},
): Promise<string | null> {
  const follow = () => followVacation(tx, studentId, today, options)
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
 * month on. Returns what payers are told if it is more, or null for a student without a plan. 409 if
 * the plan is not paid by the month.
 */
export async function setPlanPrice(
  tx: Tx,
  caller: Caller,
  studentId: string,
  { fee, startsNextMonth }: { fee: number; startsNextMonth: boolean },
): Promise<StudentNotice[] | null> {
  const today = await todayOf(tx, caller.dojoId)
  const plan = (await findSubscriptionsOf(tx, studentId)).find(
    (subscription) => !subscription.is_add_on && isInForce(subscription, today),
  )
  if (!plan) return null
  const oldPrice = monthlyPriceOn(plan, today)
  if (toCents(fee) === toCents(oldPrice)) return []
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
  if (fee < oldPrice) return []
  const change = { plan_name: plan.plan_name, effectiveOn: starts_on, oldPrice, newPrice: fee }
  return [await noticeOfOwnPrice(tx, studentId, change)]
}
