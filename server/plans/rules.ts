import type { PlanRules } from '@tatami/contract/plans/plans'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { readPlanRules } from './plans.ts'
import { planRules } from './tables.ts'

export async function setPlanRules(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  rules: PlanRules,
): Promise<PlanRules> {
  await tx
    .insert(planRules)
    .values(rules)
    .onConflictDoUpdate({ target: planRules.dojo_id, set: rules })
  await auditAction(tx, caller, 'plan rules set')
  return readPlanRules(tx)
}
