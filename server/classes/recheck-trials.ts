import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { bookings } from '../trials/tables.ts'

/** After a change of a class or of the holidays, visitors may have to be told that their trial is
 *  moved or canceled. Within a minute, the schedule looks at the bookings. */
export const recheckTrials = (tx: Tx, classId?: string) =>
  tx
    .update(bookings)
    .set({ needs_check: true })
    .where(
      and(
        inArray(bookings.state, ['held', 'booked', 'waiting']),
        classId === undefined ? undefined : eq(bookings.class_id, classId),
      ),
    )
