/** A change of plans ends one plan, and another one `replaces` it. If the other one has not
 *  started, the change can be taken back, and an end that is asked for is an end of both. */

import type { StudentSubscription } from '../plans/plans.ts'

export type OwnPlans = readonly StudentSubscription[]

/** False for a plan that was ended before it began. */
export const everStarts = ({
  starts_on,
  ends_on,
}: Pick<StudentSubscription, 'starts_on' | 'ends_on'>): boolean =>
  ends_on === null || ends_on >= starts_on

/** The plan that ran until a change to this one. Plans between them that never began are skipped. */
export function findReplacedPlan(
  plan: Pick<StudentSubscription, 'replaces'>,
  ownPlans: OwnPlans,
): StudentSubscription | null {
  const replacedPlan = ownPlans.find(({ id }) => id === plan.replaces)
  if (!replacedPlan || everStarts(replacedPlan)) return replacedPlan ?? null
  return findReplacedPlan(replacedPlan, ownPlans)
}

const plansAfter = ({ id }: StudentSubscription, ownPlans: OwnPlans): StudentSubscription[] =>
  ownPlans.filter((plan) => findReplacedPlan(plan, ownPlans)?.id === id)

/** The plan to which a plan changes or has changed. */
export const findNextPlan = (
  plan: StudentSubscription,
  ownPlans: OwnPlans,
): StudentSubscription | null => plansAfter(plan, ownPlans).find(everStarts) ?? null

/** The plan to which a plan was to change when its end was asked for. */
export function findCancelledChange(
  plan: StudentSubscription,
  ownPlans: OwnPlans,
): StudentSubscription | null {
  const nextPlans = plansAfter(plan, ownPlans)
  if (nextPlans.some(everStarts)) return null
  return nextPlans.find(({ id }) => !nextPlans.some(({ replaces }) => replaces === id)) ?? null
}
