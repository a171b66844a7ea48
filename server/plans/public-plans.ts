import type { PublicPlan } from '@tatami/contract/plans/public-plans'
import { describeAges, listPlanTerms } from '@tatami/contract/plans/plan-facts'
import { describePlanPrice } from '@tatami/contract/plans/plan-words'
import { and, asc, desc, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { invalid } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { requireAge } from './ages.ts'
import { planVersions, plans } from './tables.ts'

const NOT_OFFERED = 'The school no longer offers this plan. Please choose another one.'

/** Plans for sale that people who join can choose. A single class is no plan to join with. */
const isOffered = and(
  eq(plans.is_public, true),
  isNull(plans.retired_at),
  ne(plans.kind, 'drop_in'),
  eq(plans.is_add_on, false),
)

export async function listPublicPlans(tx: Tx): Promise<PublicPlan[]> {
  const rows = await tx
    .selectDistinctOn([plans.id], { plan: plans, version: planVersions })
    .from(plans)
    .innerJoin(planVersions, eq(planVersions.plan_id, plans.id))
    .where(isOffered)
    .orderBy(asc(plans.id), desc(planVersions.n))
  return rows
    .toSorted((a, b) => a.version.price - b.version.price || (a.plan.id < b.plan.id ? -1 : 1))
    .map(({ plan, version }) => ({
      id: plan.id,
      name: plan.name,
      description: plan.description,
      price: describePlanPrice({ ...version, kind: plan.kind }),
      facts: listPlanTerms({ ...version, kind: plan.kind }),
      terms: version.terms,
      ages: describeAges(version) || null,
      age_from: version.age_from,
      age_until: version.age_until,
    }))
}

type Newcomer = { plan_id?: string | undefined; date_of_birth?: string | null | undefined }

/** 422 for a plan that the school does not offer on its join page, or not for this age. */
export async function requirePublicPlan(
  tx: Tx,
  field: string,
  { plan_id, date_of_birth = null }: Newcomer,
  today: string,
): Promise<void> {
  if (!plan_id) return
  const [ages] = await tx
    .select(pick(planVersions, 'age_from', 'age_until'))
    .from(plans)
    .innerJoin(planVersions, eq(planVersions.plan_id, plans.id))
    .where(and(eq(plans.id, plan_id), isOffered))
    .orderBy(desc(planVersions.n))
    .limit(1)
  if (!ages) throw invalid(field, NOT_OFFERED)
  requireAge(date_of_birth, ages, today, field)
}
