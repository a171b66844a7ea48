import { addDays } from '@tatami/contract/lib/calendar-day'
import { type ClassDate, upcomingDates, soonestFirst } from '@tatami/contract/calendar/timetable'
import { and, gte } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { enrollments } from '../../students/tables.ts'
import { readDojoTime, readTimetable } from './timetable.ts'
import { pick } from '../../lib/rows.ts'

const DAYS_AHEAD = 14

/** Student id → the student's classes of the next days, soonest first. Leaves out classes that are
 *  over or canceled, or in which the student is already marked. */
export async function findNextClasses(
  tx: Tx,
  dojoId: string,
  studentIds: readonly string[],
): Promise<Map<string, ClassDate[]>> {
  const ids = [...studentIds]
  const dojoTime = await readDojoTime(tx, dojoId)
  const enrollmentRows = await tx
    .select(pick(enrollments, 'student_id', 'class_id'))
    .from(enrollments)
    .where(equalsAny(enrollments.student_id, ids))
  if (enrollmentRows.length === 0) return new Map()
  const marks = await tx
    .select(pick(attendance, 'student_id', 'class_id', 'class_date'))
    .from(attendance)
    .where(and(equalsAny(attendance.student_id, ids), gte(attendance.class_date, dojoTime.day)))
  const markedKeys = new Set(
    marks.map((mark) => `${mark.student_id} ${mark.class_id} ${mark.class_date}`),
  )
  const lastDay = addDays(dojoTime.day, DAYS_AHEAD - 1)
  const timetable = await readTimetable(tx, dojoTime.day, lastDay)
  const dates = upcomingDates(timetable, dojoTime, DAYS_AHEAD)
  const datesByClass = Map.groupBy(dates, ({ class_id }) => class_id)
  const nextClasses = new Map<string, ClassDate[]>()
  const enrollmentsByStudent = Map.groupBy(enrollmentRows, ({ student_id }) => student_id)
  for (const [studentId, studentEnrollments] of enrollmentsByStudent) {
    const studentDates = studentEnrollments.flatMap(
      ({ class_id }) => datesByClass.get(class_id) ?? [],
    )
    const unmarkedDates = studentDates.filter(
      ({ class_id, day }) => !markedKeys.has(`${studentId} ${class_id} ${day}`),
    )
    nextClasses.set(studentId, unmarkedDates.toSorted(soonestFirst))
  }
  return nextClasses
}
