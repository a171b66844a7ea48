import type { FollowPlan } from '@tatami/contract/followups/followups'
import { DEFAULT_STEPS, type FollowPlanForm } from '@tatami/contract/followups/steps'
import { desc } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { followPlans } from './tables.ts'

/** The newest version. The plan is off until somebody turns it on. */
export async function readPlan(tx: Tx): Promise<FollowPlan> {
  const [plan] = await tx
    .select(pick(followPlans, 'version', 'is_on', 'steps', 'starts_from'))
    .from(followPlans)
    .orderBy(desc(followPlans.version))
    .limit(1)
  return plan ?? { version: 0, is_on: false, steps: [...DEFAULT_STEPS], starts_from: null }
}

/** Adds a version. Who came before the plan was turned on never starts by itself. */
export async function changePlan(
  tx: Tx,
  caller: DojoCaller,
  { is_on, steps }: FollowPlanForm,
): Promise<FollowPlan> {
  const { version, starts_from } = await readPlan(tx)
  const firstDay = starts_from ?? (await todayOf(tx, caller.dojoId))
  const plan: FollowPlan = {
    version: version + 1,
    is_on,
    steps: steps.toSorted((a, b) => a.day - b.day),
    starts_from: is_on ? firstDay : null,
  }
  const insertedRows = await tx
    .insert(followPlans)
    .values({ ...plan, created_by: caller.id })
    .onConflictDoNothing()
    .returning({ version: followPlans.version })
  if (insertedRows.length === 0)
    throw new Refusal(409, 'Somebody else just changed the plan. Please open it again.')
  await auditAction(tx, caller, 'first 90 days changed', { details: { is_on } })
  return plan
}
