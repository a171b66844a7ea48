import type { MembershipRow } from '@tatami/contract/memberships/membership-figures'
import { coversDay, endAfterHolds } from '@tatami/contract/plans/billed-holds'
import { and, asc, eq, gte, isNull, lte, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pick, pluck } from '../lib/rows.ts'
import { holds, plans, subscriptions } from '../plans/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { stateOf } from './show.ts'

export async function listMemberships(tx: Tx, dojoId: string): Promise<MembershipRow[]> {
  const today = await todayOf(tx, dojoId)
  const rows = await findOpenRows(tx)
  if (rows.length === 0) return []
  const holdsByStudent = Map.groupBy(await findHolds(tx, today), ({ student_id }) => student_id)
  const openSubscriptions = rows
    .map((row) => ({ ...row, lastDay: lastDayOf(row, holdsByStudent.get(row.student_id) ?? []) }))
    .filter((subscription) => stateOf(subscription, today) !== 'ended')
  const byStudent = Map.groupBy(openSubscriptions, ({ student_id }) => student_id)
  return [...byStudent].map(([student_id, ownSubscriptions]) => {
    const currentHold = holdsByStudent.get(student_id)?.findLast((hold) => coversDay(hold, today))
    return toRow(student_id, ownSubscriptions, currentHold?.until ?? null)
  })
}

/** Reads only what the list shows, because every list of students asks for it. */
const findOpenRows = (tx: Tx) =>
  tx
    .select({
      ...pick(subscriptions, 'id', 'student_id', 'plan_id', 'is_add_on', 'starts_on', 'ends_on'),
      ...pick(subscriptions, 'cancelled_at'),
      plan_name: plans.name,
    })
    .from(subscriptions)
    .innerJoin(students, eq(students.id, subscriptions.student_id))
    .innerJoin(plans, eq(plans.id, subscriptions.plan_id))
    .where(
      and(or(isNull(subscriptions.ends_on), isNull(subscriptions.closed_on)), isCurrentStudent),
    )
    .orderBy(asc(subscriptions.starts_on), asc(subscriptions.id))

type OpenRow = Awaited<ReturnType<typeof findOpenRows>>[number]
type OpenSubscription = OpenRow & { lastDay: string | null }

/** The holds of today, and those that move the last day of a plan. */
const findHolds = (tx: Tx, today: string) =>
  tx
    .select({
      ...pick(holds, 'student_id', 'subscription_id', 'moves_end'),
      ...{ from: holds.starts_on, until: holds.ends_on },
    })
    .from(holds)
    .where(
      or(
        eq(holds.moves_end, true),
        and(lte(holds.starts_on, today), or(isNull(holds.ends_on), gte(holds.ends_on, today))),
      ),
    )
    .orderBy(asc(holds.starts_on), asc(holds.id))

type Hold = Awaited<ReturnType<typeof findHolds>>[number]

const lastDayOf = (
  { id, starts_on, ends_on, cancelled_at }: OpenRow,
  studentHolds: readonly Hold[],
): string | null =>
  endAfterHolds({
    ...{ starts_on, ends_on, end_is_final: cancelled_at !== null },
    holds: studentHolds.filter(
      ({ subscription_id }) => subscription_id === null || subscription_id === id,
    ),
  })

function toRow(
  student_id: string,
  ownSubscriptions: readonly OpenSubscription[],
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
