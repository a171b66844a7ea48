import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import { toMonthlyCents } from '@tatami/contract/plans/periods'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import type { StudentSubscription } from '../../plans/plans.ts'
import { subscriptions } from '../../plans/tables.ts'
import { students } from '../../students/tables.ts'

/** What a plan costs in a month on a day, in dollars, whatever its cycle is. */
export function monthlyPriceOn({ billing }: StudentSubscription, day: string): number {
  const price = billing.prices.findLast(({ from }) => from <= day) ?? billing.prices[0]
  return toDollars(toMonthlyCents(price?.cents ?? 0, billing.cycle))
}

export const isInForce = ({ starts_on, lastDay }: StudentSubscription, day: string): boolean =>
  starts_on <= day && (lastDay === null || lastDay >= day)

const isOver = ({ lastDay }: StudentSubscription, day: string): boolean =>
  lastDay !== null && lastDay < day

/**
 * Starts and ends what starts and ends with the plans of one student. The fee of the student says
 * what the plan costs in a month. It is $0 after a plan ended.
 */
export async function updateStudentFee(
  tx: Tx,
  ownSubscriptions: readonly StudentSubscription[],
  today: string,
): Promise<void> {
  const basePlans = ownSubscriptions.filter(({ is_add_on }) => !is_add_on)
  const beginningPlans = basePlans.filter(
    (plan) => plan.fee_before === null && plan.starts_on <= today && !endedBeforeItBegan(plan),
  )
  for (const plan of beginningPlans) await begin(tx, plan, basePlans)
  const endedPlans = ownSubscriptions.filter(
    (plan) => plan.closed_on === null && isOver(plan, today),
  )
  const currentPlan = basePlans.find((plan) => isInForce(plan, today))
  if (currentPlan) await setFee(tx, currentPlan, monthlyPriceOn(currentPlan, today))
  else await setFeeAfter(tx, endedPlans)
  for (const { id } of endedPlans) await setClosed(tx, id, today)
  // A hold that was entered late has moved the end of a plan that was over.
  const revivedPlans = ownSubscriptions.filter(
    (plan) => plan.closed_on !== null && !isOver(plan, today),
  )
  for (const { id } of revivedPlans) await setClosed(tx, id, null)
}

const setClosed = (tx: Tx, id: string, closed_on: string | null) =>
  tx.update(subscriptions).set({ closed_on }).where(eq(subscriptions.id, id))

const endedBeforeItBegan = ({ starts_on, ends_on }: StudentSubscription): boolean =>
  ends_on !== null && ends_on < starts_on

/** A plan that was ended within the cooling-off days gives the fee back that it replaced. */
async function setFeeAfter(tx: Tx, endedPlans: readonly StudentSubscription[]): Promise<void> {
  const basePlans = endedPlans.filter(({ is_add_on }) => !is_add_on)
  // A plan that was to follow, but never began, says nothing about the fee.
  const plan = basePlans.findLast((endedPlan) => !endedBeforeItBegan(endedPlan)) ?? basePlans.at(-1)
  if (!plan) return
  const fee = endedBeforeItBegan(plan) ? plan.fee_before : 0
  if (fee !== null) await setFee(tx, plan, fee)
}

/** A trial ends with the first plan. */
async function begin(
  tx: Tx,
  plan: StudentSubscription,
  basePlans: readonly StudentSubscription[],
): Promise<void> {
  const firstDay = firstDayOf(monthOfDate(plan.starts_on))
  const followsPlan = basePlans.some(
    ({ id, starts_on, lastDay }) =>
      id !== plan.id &&
      starts_on < plan.starts_on &&
      !(lastDay !== null && lastDay < starts_on) &&
      (lastDay === null || lastDay >= firstDay),
  )
  // A plan that had started today, and that another one replaced at once, has already set the fee.
  const takenBackPlan = basePlans.find(
    (otherPlan) =>
      endedBeforeItBegan(otherPlan) && otherPlan.fee_before !== null && !otherPlan.closed_on,
  )
  const { feeBeforePlanCents } = takenBackPlan ?? plan
  const fee_before = followsPlan ? 0 : toDollars(feeBeforePlanCents)
  await tx.update(subscriptions).set({ fee_before }).where(eq(subscriptions.id, plan.id))
  await tx
    .update(students)
    .set({ is_trial: false, pays_since: plan.starts_on })
    .where(and(eq(students.id, plan.student_id), eq(students.is_trial, true)))
}

async function setFee(
  tx: Tx,
  { student_id, storedFee }: StudentSubscription,
  fee: number,
): Promise<void> {
  if (storedFee === fee) return
  await tx
    .update(students)
    .set({ monthly_payment_amount: fee, former_fee: null, former_fee_month: null })
    .where(eq(students.id, student_id))
}
