import type { HoldBilling } from '@tatami/contract/memberships/holds'
import { and, asc, eq, gte, isNull, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { planVersions, subscriptions } from './tables.ts'

/** What a hold costs as the student's plan says. A plan that is no add-on decides. */
export async function defaultHoldBilling(
  tx: Tx,
  studentId: string,
  firstDay: string,
): Promise<{ billing: HoldBilling; fee: number }> {
  const [terms] = await tx
    .select(pick(planVersions, 'hold_billing', 'hold_fee'))
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.version_id))
    .where(
      and(
        eq(subscriptions.student_id, studentId),
        or(isNull(subscriptions.ends_on), gte(subscriptions.ends_on, firstDay)),
      ),
    )
    .orderBy(asc(subscriptions.is_add_on), asc(subscriptions.starts_on))
    .limit(1)
  if (!terms) return { billing: 'free', fee: 0 }
  return terms.hold_fee > 0
    ? { billing: 'fee', fee: terms.hold_fee }
    : { billing: terms.hold_billing, fee: 0 }
}
