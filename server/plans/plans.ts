import { DEFAULT_PLAN_RULES, type PlanRules } from '@tatami/contract/plans/plans'
import type { Tx } from '../db/database.ts'
import { planRules } from './tables.ts'

export {
  type BasePlans,
  findBasePlans,
  isHeldAllMonth,
  NO_PLANS,
  type PlanMonth,
  planMonthOf,
  usualPriceIn,
  withBasePlans,
} from './base-plans.ts'
export { findSubscriptions, type StudentSubscription } from './find-subscriptions.ts'

export async function readPlanRules(tx: Tx): Promise<PlanRules> {
  const [rules] = await tx.select().from(planRules)
  return rules ?? DEFAULT_PLAN_RULES
}
