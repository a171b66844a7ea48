import { lastBoundDay } from '@tatami/contract/plans/ends'
import { sumCents, toDollars } from '@tatami/contract/lib/money'
import type { PlanOnLeaving } from '@tatami/contract/students/leaving'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { debtsOnLeaving } from '../dues/leaving.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { findOwnCharges } from '../dues/plans/own-charges.ts'
import { type Line, linesOfAct } from '../ledger/ledger.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { subscriptions } from '../plans/tables.ts'
import { previewOf } from './acts.ts'
import { describeEnd } from './describe-acts.ts'
import { endTermsOf } from './end.ts'
import { resumeAll } from './keep.ts'
import type { OwnPlans } from './replacements.ts'

type Caller = Pick<PlanCaller, 'id' | 'dojoId'>

/** Ends all plans of a student who leaves, without notice. Days that were paid become credit. */
export async function endPlansOnLeaving(
  tx: Tx,
  caller: Caller,
  studentId: string,
  leftOn: string,
): Promise<void> {
  const openPlans = await findPlansAfter(tx, studentId, leftOn)
  await endPlans(tx, { ...caller, isStaff: true }, studentId, openPlans, leftOn)
}

const findPlansAfter = async (tx: Tx, studentId: string, leftOn: string) =>
  (await findSubscriptionsOf(tx, studentId)).filter(
    (plan) => plan.closed_on === null && (plan.lastDay === null || plan.lastDay > leftOn),
  )

/** Returns the id of the act in the ledger, or null if it wrote nothing. */
async function endPlans(
  tx: Tx,
  caller: PlanCaller,
  studentId: string,
  openPlans: OwnPlans,
  leftOn: string,
): Promise<string | null> {
  const today = await todayOf(tx, caller.dojoId)
  const [firstPlan] = openPlans
  if (!firstPlan) return null
  const firstDay = firstPlan.starts_on
  const { actId } = await changePlansOf(tx, caller, studentId, firstDay, async () => {
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
  return actId
}

/** A student who left today and is back has undone it, so the plans continue. */
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

type LeavingPreview = {
  plans: PlanOnLeaving[]
  debts: Awaited<ReturnType<typeof debtsOnLeaving>>
}

/** What ends with the plans of a student whose last day is `leftOn`, and what is owed after
 *  that. */
export const describePlansOnLeaving = (
  tx: Tx,
  dojoId: string,
  studentId: string,
  leftOn: string,
): Promise<LeavingPreview> =>
  previewOf(tx, async () => {
    const openPlans = await findPlansAfter(tx, studentId, leftOn)
    const caller = { id: studentId, dojoId, isStaff: false }
    const actId = await endPlans(tx, caller, studentId, openPlans, leftOn)
    const creditLines = actId === null ? [] : await findCreditLines(tx, actId)
    const plans: PlanOnLeaving[] = []
    for (const plan of openPlans)
      plans.push({
        ...{ id: plan.id, name: plan.plan_name, bound_until: brokenPromise(plan, leftOn) },
        last_payment: await findLastPayment(tx, dojoId, plan),
        credit: await sumCreditOf(tx, plan, creditLines),
      })
    return { plans, debts: await debtsOnLeaving(tx, dojoId, studentId) }
  })

/** The last day to which the member is bound, if the student leaves before it. */
function brokenPromise(plan: StudentSubscription, leftOn: string): string | null {
  const day = leftOn > plan.starts_on ? leftOn : plan.starts_on
  const lastDay = lastBoundDay(endTermsOf(plan), day)
  return lastDay !== null && lastDay > leftOn ? lastDay : null
}

async function findLastPayment(
  tx: Tx,
  dojoId: string,
  { id }: StudentSubscription,
): Promise<PlanOnLeaving['last_payment']> {
  const { charges, last_sum } = await describeEnd(tx, dojoId, id, null)
  const lastCharge = charges.at(-1)
  return lastCharge && last_sum ? { amount: last_sum, due_on: lastCharge.due_on } : null
}

/** What an act took off charges that were paid. */
const findCreditLines = async (tx: Tx, actId: string): Promise<Line[]> =>
  (await linesOfAct(tx, actId)).filter(({ kind, cents }) => kind === 'credit' && cents > 0)

/** Months belong to the plan that is no add-on. */
async function sumCreditOf(
  tx: Tx,
  { id, student_id, is_add_on }: StudentSubscription,
  creditLines: readonly Line[],
): Promise<number> {
  const ownCharges = await findOwnCharges(tx, [student_id])
  const planById = new Map(ownCharges.map((charge) => [charge.id, charge.subscription_id] as const))
  const linesOfPlan = creditLines.filter(({ charge_id }) => {
    const planId = planById.get(charge_id ?? '')
    return planId === undefined ? !is_add_on : planId === id
  })
  return toDollars(sumCents(pluck(linesOfPlan, 'cents')))
}
