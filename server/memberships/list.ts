import type { MembershipRow } from '@tatami/contract/memberships/membership-figures'
import { and, gte, isNull, lte, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pluck } from '../lib/rows.ts'
import { findSubscriptions, type StudentSubscription } from '../plans/plans.ts'
import { holds, subscriptions } from '../plans/tables.ts'
import { isCurrentStudent } from '../students/tables.ts'
import { stateOf } from './show.ts'

export async function listMemberships(tx: Tx, dojoId: string): Promise<MembershipRow[]> {
  const today = await todayOf(tx, dojoId)
  const isOpen = and(
    or(isNull(subscriptions.ends_on), isNull(subscriptions.closed_on)),
    isCurrentStudent,
  )
  if (!isOpen) return []
  const openSubscriptions = (await findSubscriptions(tx, isOpen)).filter(
    (subscription) => stateOf(subscription, today) !== 'ended',
  )
  if (openSubscriptions.length === 0) return []
  const holdEnds = await findHoldEnds(tx, today)
  const byStudent = Map.groupBy(openSubscriptions, ({ student_id }) => student_id)
  return [...byStudent].map(([student_id, ownSubscriptions]) =>
    toRow(student_id, ownSubscriptions, holdEnds.get(student_id) ?? null),
  )
}

function toRow(
  student_id: string,
  ownSubscriptions: readonly StudentSubscription[],
  hold_ends_on: string | null,
): MembershipRow {
  const basePlans = ownSubscriptions.filter(({ is_add_on }) => !is_add_on)
  const [basePlan] = basePlans
  return {
    student_id,
    plan_id: basePlan?.plan_id ?? null,
    plan_name: basePlan?.plan_name ?? null,
    add_on_ids: pluck(
      ownSubscriptions.filter(({ is_add_on }) => is_add_on),
      'plan_id',
    ),
    // A plan that another one follows does not end for the student.
    ends_on: basePlans.at(-1)?.lastDay ?? null,
    hold_ends_on,
  }
}

async function findHoldEnds(tx: Tx, today: string): Promise<Map<string, string | null>> {
  const isOn = and(
    lte(holds.starts_on, today),
    or(isNull(holds.ends_on), gte(holds.ends_on, today)),
  )
  const rows = await tx
    .select({ student_id: holds.student_id, ends_on: holds.ends_on })
    .from(holds)
    .where(isOn)
  return new Map(rows.map(({ student_id, ends_on }) => [student_id, ends_on]))
}
