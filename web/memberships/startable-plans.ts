import type { Membership, Subscription } from '@tatami/contract/memberships/memberships'
import { isForVisits, type Plan, plansApi } from '@tatami/contract/plans/plans'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** A student has at most one plan that is no add-on. */
const isBlocked = (plan: Plan, subscriptions: readonly Subscription[]): boolean =>
  subscriptions.some(
    ({ state, plan_id, is_add_on }) =>
      (state === 'running' || state === 'coming') &&
      (plan_id === plan.id || (!is_add_on && !plan.is_add_on)),
  )

/** What a student can start now, and the class packs for sale. */
export function useStartablePlans({ subscriptions }: Membership) {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const soldPlans = plans.filter(({ retired_at }) => retired_at === null)
  return {
    memberships: soldPlans.filter(
      (plan) => !isForVisits(plan.kind) && !isBlocked(plan, subscriptions),
    ),
    packs: soldPlans.filter(({ kind }) => isForVisits(kind)),
  }
}

/** The plans to which a student can change from `subscription`. */
export function useOtherPlans({ plan_id, is_add_on }: Subscription): Plan[] {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  return plans.filter(
    (plan) =>
      plan.retired_at === null &&
      !isForVisits(plan.kind) &&
      plan.is_add_on === is_add_on &&
      plan.id !== plan_id,
  )
}
