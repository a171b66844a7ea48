import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { isRecordedToday, subscriptionById } from './end.ts'
import { cancelChange, continuePlan } from './keep.ts'
import { findNextPlan, everStarts } from './replacements.ts'

const TOO_LATE = 'This plan was recorded on an earlier day. End it instead.'
const CHANGED_SINCE = 'This plan has been changed or ended since. Take that back first.'

/** Takes back a start or a change that was a mistake, on the day on which it was recorded. */
export async function undoSubscription(
  tx: Tx,
  caller: PlanCaller,
  id: string,
): Promise<{ actId: string | null; shownId: string }> {
  const { student_id, starts_on, replaces } = await subscriptionById(tx, id)
  const planBefore = replaces === null ? null : await subscriptionById(tx, replaces)
  const firstDay = planBefore?.starts_on ?? starts_on
  const { actId } = await changePlansOf(tx, caller, student_id, firstDay, async () => {
    const plan = await subscriptionById(tx, id)
    const ownPlans = await findSubscriptionsOf(tx, student_id)
    if (!everStarts(plan) || plan.cancelled_at !== null || findNextPlan(plan, ownPlans))
      throw new Refusal(409, CHANGED_SINCE)
    if (!(await isRecordedToday(tx, caller.dojoId, plan))) throw new Refusal(409, TOO_LATE)
    const replacedPlan = ownPlans.find((ownPlan) => ownPlan.id === plan.replaces)
    if (replacedPlan) await continuePlan(tx, replacedPlan, plan)
    else await cancelChange(tx, plan)
  })
  await auditAction(tx, caller, 'subscription undone', { subject_id: student_id })
  return { actId, shownId: planBefore?.id ?? id }
}
