import type { PlanKind } from '@tatami/contract/plans/plans'
import { endAfterHolds } from '@tatami/contract/plans/billed-holds'
import type { BilledSubscription } from '@tatami/contract/plans/periods'
import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { getOrThrow, pluck } from '../lib/rows.ts'
import { enrolledOn, students } from '../students/tables.ts'
import { readBilling } from './read-billing.ts'
import { planVersions, plans, subscriptions } from './tables.ts'

type SubscriptionRow = typeof subscriptions.$inferSelect
export type PlanTerms = typeof planVersions.$inferSelect

export type StudentSubscription = SubscriptionRow & {
  plan_name: string
  kind: PlanKind
  terms: PlanTerms
  billing: BilledSubscription
  /** The last day, after holds have moved it. */
  lastDay: string | null
  /** The monthly fee that the student pays for the days of the first month before the plan. */
  feeBeforePlanCents: number
  /** The monthly fee as it is stored, in dollars. */
  storedFee: number | null
  /** The days on which any plan of the student began with a sign-up fee. */
  signUpDays: string[]
}

/** With the prices and holds that decide what each costs. The first to start comes first. */
export async function findSubscriptions(tx: Tx, condition: SQL): Promise<StudentSubscription[]> {
  const rows = await tx
    .select({
      subscription: getTableColumns(subscriptions),
      storedFee: students.monthly_payment_amount,
      feeBeforePlanCents,
      signUpDays,
    })
    .from(subscriptions)
    .innerJoin(students, eq(students.id, subscriptions.student_id))
    .where(condition)
    .orderBy(asc(subscriptions.starts_on), asc(subscriptions.id))
  if (rows.length === 0) return []
  const versions = await findVersions(tx, pluck(pluck(rows, 'subscription'), 'version_id'))
  const billingOf = await readBilling(tx, pluck(rows, 'subscription'))
  return rows.map(({ subscription, ...fees }) => {
    const { terms, kind } = getOrThrow(versions, subscription.version_id)
    const { plan_name, billing } = billingOf(subscription)
    return {
      ...subscription,
      ...{ plan_name, kind, terms, billing },
      ...{ lastDay: endAfterHolds(billing), ...fees },
    }
  })
}

/** Apart from the subscriptions, because many have the same version. */
async function findVersions(tx: Tx, ids: string[]) {
  const rows = await tx
    .select({ terms: getTableColumns(planVersions), kind: plans.kind })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.plan_id))
    .where(equalsAny(planVersions.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.terms.id, row]))
}

/** In cents: what a student pays without a plan until one starts. After an earlier plan that is $0,
 *  also while the schedule has not closed that plan yet. */
export const feeBeforePlanCents = sql<number>`coalesce(${subscriptions.fee_before}, (
  select ${students.monthly_payment_amount} from ${students}
  where ${students.id} = ${subscriptions.student_id} and not ${subscriptions.is_add_on}
    and not ${students.is_trial} and not ${students.awaits_approval}
    and ${enrolledOn} < ${subscriptions.starts_on}
    and not exists (select from subscriptions earlier
      where earlier.dojo_id = ${subscriptions.dojo_id}
        and earlier.student_id = ${subscriptions.student_id}
        and not earlier.is_add_on and earlier.closed_on is null
        and earlier.ends_on >= earlier.starts_on
        and earlier.ends_on < ${subscriptions.starts_on})), 0)`

const signUpDays = sql<string[]>`array(
  select plan.starts_on::text from subscriptions plan
  join ${planVersions} version on version.dojo_id = plan.dojo_id and version.id = plan.version_id
  where plan.dojo_id = ${subscriptions.dojo_id} and plan.student_id = ${subscriptions.student_id}
    and not plan.sign_up_waived and version.sign_up_fee > 0
    and (plan.ends_on is null or plan.ends_on >= plan.starts_on))`
