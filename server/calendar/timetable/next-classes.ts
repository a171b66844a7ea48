import { addDays } from '@tatami/contract/lib/calendar-day'
import { type ClassDate, datesToCome, soonestFirst } from '@tatami/contract/calendar/timetable'
import { and, gte } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { enrolments } from '../../students/tables.ts'
import { dojoNow, readTimetable } from './timetable.ts'
import { pick } from '../../lib/rows.ts'

const DAYS = 14

/** The dates of the next two weeks, by student, soonest first, that are not over, canceled or
 *  marked (docs/modules/calendar-excuses.md). */
export async function nextClasses(
  tx: Tx,
  dojoId: string,
  studentIds: readonly string[],
): Promise<Map<string, ClassDate[]>> {
  const ids = [...studentIds]
  const dojoTime = await dojoNow(tx, dojoId)
  const enrolmentRows = await tx
    .select(pick(enrolments, 'student_id', 'class_id'))
    .from(enrolments)
    .where(equalsAny(enrolments.student_id, ids))
  if (enrolmentRows.length === 0) return new Map()
  const marks = await tx
    .select(pick(attendance, 'student_id', 'class_id', 'class_date'))
    .from(attendance)
    .where(and(equalsAny(attendance.student_id, ids), gte(attendance.class_date, dojoTime.day)))
  const markedKeys = new Set(
    marks.map((mark) => `${mark.student_id} ${mark.class_id} ${mark.class_date}`),
  )
  const toCome = Map.groupBy(
    datesToCome(
      await readTimetable(tx, dojoTime.day, addDays(dojoTime.day, DAYS - 1)),
      dojoTime,
      DAYS,
    ),
    ({ class_id }) => class_id,
  )
  return new Map(
    [...Map.groupBy(enrolmentRows, ({ student_id }) => student_id)].map(([student_id, theirs]) => {
      const ownDates = theirs.flatMap(({ class_id }) => toCome.get(class_id) ?? [])
      const unmarkedDates = ownDates.filter(
        ({ class_id, day }) => !markedKeys.has(`${student_id} ${class_id} ${day}`),
      )
      return [student_id, unmarkedDates.toSorted(soonestFirst)]
    }),
  )
}
