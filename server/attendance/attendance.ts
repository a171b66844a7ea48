import type { AttendanceFilter, AttendanceMark, AttendanceRecord, RollMarks } from '@tatami/contract/attendance'
import { ATTENDANCE_PAGE, classDate } from '@tatami/contract/attendance'
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type ClassRow, classSnapshot } from '../classes/classes.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import type { Member } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { attendance } from './tables.ts'

const { dojo_id: _, created_at: __, ...columns } = getTableColumns(attendance)
type Row = Omit<typeof attendance.$inferSelect, 'dojo_id' | 'created_at'> & { student_name: string }

/** In the API a calendar day is a date-time at midnight UTC, which is never converted to another time zone. */
const asRecord = (row: Row): AttendanceRecord => ({ ...row, class_date: classDate(row.class_date) })

/** Attendance records, newest class day first. Instructors see those of their dojo, students their own. */
export async function attendanceVisibleTo(tx: Tx, caller: Member, filter: AttendanceFilter): Promise<AttendanceRecord[]> {
  const student = caller.role === 'student' ? caller.id : filter.student_id
  const rows = await tx
    .select({ ...columns, student_name: students.name })
    .from(attendance)
    .innerJoin(students, eq(students.id, attendance.student_id))
    .where(
      and(
        student ? eq(attendance.student_id, student) : undefined,
        caller.role === 'student' && filter.student_id && filter.student_id !== caller.id ? sql`false` : undefined,
        filter.class_id ? eq(attendance.class_id, filter.class_id) : undefined,
        filter.class_date ? eq(attendance.class_date, filter.class_date) : undefined,
        filter.before ? olderThan(filter.before) : undefined,
      ),
    )
    .orderBy(desc(attendance.class_date), desc(attendance.id))
    .limit(filter.limit ?? ATTENDANCE_PAGE)
  return rows.map(asRecord)
}

// An unknown cursor matches nothing.
const olderThan = (id: string) =>
  sql`(${attendance.class_date}, ${attendance.id}) < (select a.class_date, a.id from ${attendance} a where a.dojo_id = ${attendance.dojo_id} and a.id = ${id})`

/** Marking the same student, class and day again replaces the mark. */
const replaceMark = {
  target: [attendance.dojo_id, attendance.student_id, attendance.class_id, attendance.class_date],
  set: { present: sql`excluded.present` },
}

const value = sql.placeholder

const findMarked = prepared<Pick<AttendanceMark, 'student_id' | 'class_id'>, { student_name: string; marked: ClassRow | null }>(
  'find_marked',
  sql`select s.name as student_name, (select row_to_json(c) from ${classes} c where c.id = ${value('class_id')}) as marked
    from ${students} s where s.id = ${value('student_id')}`,
)

type NewMark = AttendanceMark & ReturnType<typeof classSnapshot> & { id: string; created_at: string }
const insertMark = prepared<NewMark, Omit<Row, 'student_name'>>(
  'insert_mark',
  sql`insert into ${attendance} (id, student_id, class_id, class_name, class_time, class_location, class_date, present, created_at)
    values (${value('id')}, ${value('student_id')}, ${value('class_id')}, ${value('class_name')}, ${value('class_time')},
      ${value('class_location')}, ${value('class_date')}, ${value('present')}, ${value('created_at')})
    on conflict (dojo_id, student_id, class_id, class_date) do update set present = excluded.present
    returning id, student_id, class_id, class_name, class_time, class_location, class_date::text, present`,
)

/** Records attendance; marking the same student, class and day again replaces the mark. Students may be marked in any class of the dojo. */
export async function markAttendance(tx: Tx, mark: AttendanceMark): Promise<AttendanceRecord> {
  const [found] = await findMarked(tx, mark)
  if (!found) throw notFound('Student')
  if (!found.marked) throw notFound('Class')
  const [row] = await insertMark(tx, { ...mark, ...classSnapshot(found.marked), id: newId(), created_at: nowIso() })
  return asRecord({ ...row!, student_name: found.student_name })
}

/** Marks students of one class and day, all or none. A student who is not named stays as they are; null takes a mark back. */
export async function markRoll(tx: Tx, { class_id, class_date, marks }: RollMarks): Promise<AttendanceRecord[]> {
  const [marked] = await tx.select().from(classes).where(eq(classes.id, class_id))
  if (!marked) throw notFound('Class')
  const ids = marks.map(({ student_id }) => student_id)
  const found = await tx.select({ id: students.id, name: students.name }).from(students).where(equalsAny(students.id, ids))
  if (found.length < ids.length) throw notFound('Student')
  const removed = marks.filter(({ present }) => present === null).map(({ student_id }) => student_id)
  if (removed.length > 0)
    await tx
      .delete(attendance)
      .where(and(equalsAny(attendance.student_id, removed), eq(attendance.class_id, class_id), eq(attendance.class_date, class_date)))
  // In one order, so that two calls never wait for each other.
  const values = marks
    .flatMap(({ student_id, present }) =>
      present === null ? [] : [{ student_id, present, class_id, class_date, ...classSnapshot(marked) }],
    )
    .toSorted((one, other) => (one.student_id < other.student_id ? -1 : 1))
  if (values.length === 0) return []
  const names = new Map(found.map(({ id, name }) => [id, name]))
  const rows = await tx.insert(attendance).values(values).onConflictDoUpdate(replaceMark).returning(columns)
  return rows.map((row) => asRecord({ ...row, student_name: names.get(row.student_id)! }))
}

/** Deletes the student's mark for this class and day. */
export const unmarkAttendance = (tx: Tx, { student_id, class_id, class_date }: Omit<AttendanceMark, 'present'>) =>
  tx
    .delete(attendance)
    .where(and(eq(attendance.student_id, student_id), eq(attendance.class_id, class_id), eq(attendance.class_date, class_date)))
