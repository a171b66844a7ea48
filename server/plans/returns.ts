import { addDays } from '@tatami/contract/lib/calendar-day'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, eq, gte, isNull, lt, or } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { pick } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { holds } from './tables.ts'
import { showHoldsAsVacation } from './vacation-holds.ts'

/** Ends the holds of students who are back in class, if their holds say so. Call it when students
 *  are marked present. Staff are told, and can take it back. */
export async function endHoldsOnReturn(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  day: string,
): Promise<void> {
  if (studentIds.length === 0) return
  const rows = await tx
    .select({ ...pick(holds, 'id', 'student_id', 'ends_on', 'kind'), name: students.name })
    .from(holds)
    .innerJoin(students, eq(students.id, holds.student_id))
    .where(
      and(
        equalsAny(holds.student_id, studentIds),
        eq(holds.ends_on_return, true),
        lt(holds.starts_on, day),
        or(isNull(holds.ends_on), gte(holds.ends_on, day)),
      ),
    )
  if (rows.length === 0) return
  const today = await todayOf(tx, dojoId)
  const lastDay = addDays(day, -1)
  for (const { id, student_id, ends_on, kind, name } of rows) {
    await tx
      .update(holds)
      .set({ ends_on: lastDay, planned_end: ends_on, returned_on: day })
      .where(eq(holds.id, id))
    await notifyStaff(tx, dojoId, 'students.edit', {
      title: `${name} is back`,
      message:
        `The hold (${kind}) ended on ${formatShortDay(lastDay)}, because ${firstNames([name])} ` +
        'was marked present. If that is wrong, put the student on hold again.',
      student_id,
    })
  }
  const returnedIds = [...new Set(rows.map(({ student_id }) => student_id))]
  await showHoldsAsVacation(tx, returnedIds, today)
}
