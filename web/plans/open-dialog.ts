import { drafts } from '../lib/drafts.ts'
import type { PlanForm } from '@tatami/contract/plans/plans'

export const PLAN_DRAFT = 'membership-plan'
/** Its subject is the student. */
export const PACK_DRAFT = 'membership-pack'
export const PLAN_RULES_DRAFT = 'plan-rules'
/** The subject of a new plan's draft. Other drafts have the plan's id. */
export const NEW_PLAN = 'new'

export type PlansDialog =
  | { type: 'new' }
  | { type: 'rules' }
  /** Null starts from an empty form. */
  | { type: 'create'; template: PlanForm | null }
  | { type: 'edit'; id: string }
  | { type: 'price'; id: string }

export function findDialogWithDraft(): PlansDialog | null {
  const planId = drafts.subjectOf(PLAN_DRAFT)
  if (planId === undefined) return null
  return planId === NEW_PLAN ? { type: 'create', template: null } : { type: 'edit', id: planId }
}
