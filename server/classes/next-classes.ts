import { type ClassOccurrence, unmarkedClasses, upcomingClasses } from '@tatami/contract/classes'
import { and, gte } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hourIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { enrolments } from '../students/tables.ts'
import { allClasses } from './classes.ts'

/** For each of these students the classes of the next two weeks in which they are enrolled, soonest first, by the dojo's clock: not over, and
 *  not marked yet (product.md, section 4). */
export async function nextClasses(tx: Tx, dojoId: string, studentIds: readonly string[]): Promise<Map<string, ClassOccurrence[]>> {
  const ids = [...studentIds]
  const { time_zone } = await dojoById(tx, dojoId)
  const now = { day: todayIn(time_zone), hour: hourIn(time_zone) }
  const enrolled = await tx
    .select({ student_id: enrolments.student_id, class_id: enrolments.class_id })
    .from(enrolments)
    .where(equalsAny(enrolments.student_id, ids))
  if (enrolled.length === 0) return new Map()
  const marks = await tx
    .select({ student_id: attendance.student_id, class_id: attendance.class_id, class_date: attendance.class_date })
    .from(attendance)
    .where(and(equalsAny(attendance.student_id, ids), gte(attendance.class_date, now.day)))
  const classes = await allClasses(tx)
  return new Map(
    [...Map.groupBy(enrolled, ({ student_id }) => student_id)].map(([student_id, theirs]) => {
      const own = classes.filter(({ id }) => theirs.some(({ class_id }) => class_id === id))
      const marked = marks.filter((mark) => mark.student_id === student_id)
      return [student_id, unmarkedClasses(upcomingClasses(own, now), marked)]
    }),
  )
}
