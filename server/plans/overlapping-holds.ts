import { and, eq, gte, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { Refusal } from '../lib/refusal.ts'
import { holds } from './tables.ts'

type HoldDays = Pick<
  typeof holds.$inferSelect,
  'student_id' | 'subscription_id' | 'starts_on' | 'ends_on'
>

/** Holds of one plan may lie within those of all plans, but two of the same may not overlap. */
export async function refuseOverlap(
  tx: Tx,
  { student_id, subscription_id, starts_on, ends_on }: HoldDays,
  ownId: string | null,
): Promise<void> {
  const [overlappingHold] = await tx
    .select()
    .from(holds)
    .where(
      and(
        eq(holds.student_id, student_id),
        sql`${holds.subscription_id} is not distinct from ${subscription_id}`,
        ownId === null ? undefined : ne(holds.id, ownId),
        ends_on === null ? undefined : lte(holds.starts_on, ends_on),
        or(isNull(holds.ends_on), gte(holds.ends_on, starts_on)),
      ),
    )
    .limit(1)
  if (!overlappingHold) return
  const firstDay = formatShortDay(overlappingHold.starts_on)
  const days =
    overlappingHold.ends_on === null
      ? `since ${firstDay}`
      : `from ${firstDay} through ${formatShortDay(overlappingHold.ends_on)}`
  throw new Refusal(409, `There is already a hold ${days}`)
}
