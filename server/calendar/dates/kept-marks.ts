import { and, eq, sql } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { students } from '../../students/tables.ts'
import { classDates, type KeptMark } from '../timetable/tables.ts'
import { pick, pluck } from '../../lib/rows.ts'

type ClassDay = { class_id: string; day: string }
const isMarkOnDate = ({ class_id, day }: ClassDay) =>
  and(eq(attendance.class_id, class_id), eq(attendance.class_date, day))

export const countMarks = (tx: Tx, classDay: ClassDay): Promise<number> =>
  tx.$count(attendance, isMarkOnDate(classDay))

/** Returns the removed marks, which the caller must store so that they can be restored. */
export async function removeMarks(tx: Tx, classDay: ClassDay): Promise<KeptMark[]> {
  return await tx
    .delete(attendance)
    .where(isMarkOnDate(classDay))
    .returning({
      ...pick(attendance, 'id', 'student_id', 'present', 'created_at'),
      ...pick(attendance, 'class_name', 'class_time', 'class_location'),
    })
}

/** Deletes the student's marks that are kept with canceled dates. */
export const removeFromKeptMarks = (tx: Tx, studentId: string) =>
  tx.execute(sql`update ${classDates} set kept_marks = (
      select coalesce(jsonb_agg(mark), '[]') from jsonb_array_elements(kept_marks) mark
      where mark ->> 'student_id' <> ${studentId})
    where kept_marks @> ${JSON.stringify([{ student_id: studentId }])}::jsonb`)

/** Skips marks of students who were deleted after the marks were removed. */
export async function restoreMarks(
  tx: Tx,
  { class_id, day }: ClassDay,
  marks: readonly KeptMark[],
): Promise<void> {
  if (marks.length === 0) return
  const existingStudents = await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, pluck(marks, 'student_id')))
  const existingIds = new Set(pluck(existingStudents, 'id'))
  const rows = marks
    .filter(({ student_id }) => existingIds.has(student_id))
    .map((mark) => ({ ...mark, class_id, class_date: day }))
  if (rows.length > 0) await tx.insert(attendance).values(rows).onConflictDoNothing()
}
