import { DEFAULT_PLAN_RULES, type PlanRules } from '@tatami/contract/plans/plans'
import type { Tx } from '../db/database.ts'
import { planRules } from './tables.ts'

export async function readPlanRules(tx: Tx): Promise<PlanRules> {
  const [rules] = await tx.select().from(planRules)
  return rules ?? DEFAULT_PLAN_RULES
}
