import type { ClassEntry } from '@tatami/contract/plans/class-entries'
import { and, eq, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { pluck } from '../lib/rows.ts'
import { enrollments, students } from '../students/tables.ts'
import { readEntryNotices } from './entries.ts'

type ClassDay = { class_id: string; day: string }

/** What the roll of a class says beside the names. Students without a plan are left out. */
export async function listClassEntries(
  tx: Tx,
  dojoId: string,
  { class_id, day }: ClassDay,
): Promise<ClassEntry[]> {
  const studentIds = await findStudentsOfRoll(tx, { class_id, day })
  const entries = studentIds.map((student_id) => ({ student_id, class_id, day }))
  const notices = await readEntryNotices(tx, entries, await todayOf(tx, dojoId))
  return [...notices].map(([student_id, notice]) => ({ student_id, ...notice }))
}

/** Enrolled students, guests and everybody who is marked. */
async function findStudentsOfRoll(tx: Tx, { class_id, day }: ClassDay): Promise<string[]> {
  const enrolledStudents = tx
    .select({ id: enrollments.student_id })
    .from(enrollments)
    .where(eq(enrollments.class_id, class_id))
  const guests = tx
    .select({ id: placeRequests.student_id })
    .from(placeRequests)
    .where(and(eq(placeRequests.class_id, class_id), eq(placeRequests.day, day)))
  const markedStudents = tx
    .select({ id: attendance.student_id })
    .from(attendance)
    .where(and(eq(attendance.class_id, class_id), eq(attendance.class_date, day)))
  const ids = pluck(await enrolledStudents.union(guests).union(markedStudents), 'id')
  const currentStudents = await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, ids))
    .orderBy(sql`${students.id}`)
  return pluck(currentStudents, 'id')
}
