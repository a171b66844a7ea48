import type {
  AttendanceFilter,
  AttendanceMark,
  AttendanceRecord,
  MarkTarget,
  RollMarks,
  StandingRecord,
} from '@tatami/contract/attendance/attendance'
import { ATTENDANCE_PAGE, classDate } from '@tatami/contract/attendance/attendance'
import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { classSnapshot, type ClassSnapshot } from '../classes/classes.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { studentsSeenBy } from '../guardians/readers.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import type { Member } from '../http/serve.ts'
import { kioskCheckIns } from '../kiosk/tables.ts'
import { students } from '../students/tables.ts'
import { classDates } from '../calendar/timetable/tables.ts'
import { isOff } from '../calendar/timetable/timetable.ts'
import { attendance } from './tables.ts'

const { dojo_id: _, created_at: __, ...columns } = getTableColumns(attendance)
type Row = Omit<typeof attendance.$inferSelect, 'dojo_id' | 'created_at'> & { student_name: string }

/** In the API a calendar day is a date-time at midnight UTC, which is never converted to another time zone. */
const asRecord = (row: Row): AttendanceRecord => ({ ...row, class_date: classDate(row.class_date) })

/** Attendance records, newest class day first. Instructors see those of their dojo, students their own, guardians those of whom they see:
 *  404 for anybody else. */
export async function attendanceVisibleTo(
  tx: Tx,
  caller: Member,
  filter: AttendanceFilter,
): Promise<AttendanceRecord[]> {
  const visible = caller.role === 'instructor' ? null : await studentsSeenBy(tx, caller)
  if (caller.role === 'guardian' && filter.student_id && !visible?.includes(filter.student_id))
    throw notFound('Student')
  // The page is found before the names: joined first, a large table's statistics make PostgreSQL read all that the dojo has ever marked.
  const page = tx
    .select(columns)
    .from(attendance)
    .where(
      and(
        visible ? equalsAny(attendance.student_id, visible) : undefined,
        filter.student_id ? eq(attendance.student_id, filter.student_id) : undefined,
        filter.class_id ? eq(attendance.class_id, filter.class_id) : undefined,
        filter.class_date ? eq(attendance.class_date, filter.class_date) : undefined,
        filter.before ? olderThan(filter.before) : undefined,
      ),
    )
    .orderBy(desc(attendance.class_date), desc(attendance.id))
    .limit(filter.limit ?? ATTENDANCE_PAGE)
    .as('page')
  const rows = await tx
    .select({ ...page._.selectedFields, student_name: students.name })
    .from(page)
    .innerJoin(students, eq(students.id, page.student_id))
    .orderBy(desc(page.class_date), desc(page.id))
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

/** The time of a class on a day: its own, where the date has none of its own. */
const timeOnDay = (class_id: SQL, day: SQL, defaultTime: SQL) =>
  sql`coalesce((select d.start_time || ' - ' || d.end_time from ${classDates} d where d.class_id = ${class_id} and d.held_on = ${day}), ${defaultTime})`

const IS_OFF = 'This class does not take place on that day: it was cancelled, or moved'

/** Marks one student as a roll of one. Answers what stands; null where the mark that it may not replace was taken back. */
export async function markAttendance(
  tx: Tx,
  { class_id, class_date, ...mark }: AttendanceMark,
): Promise<StandingRecord | null> {
  const [standing] = await markRoll(tx, { class_id, class_date, marks: [mark] })
  return standing ?? null
}

/** What marks of a class on a day keep of it. 409 where it was cancelled. */
async function snapshotOn(
  tx: Tx,
  marked: typeof classes.$inferSelect,
  day: string,
): Promise<ClassSnapshot> {
  const snapshot = classSnapshot(marked)
  const class_id = sql`${marked.id}::uuid`,
    on = sql`${day}::date`
  const { rows } = await tx.execute<{ is_off: boolean; class_time: string }>(
    sql`select ${isOff(class_id, on)} as is_off, ${timeOnDay(class_id, on, sql`${snapshot.class_time}::text`)} as class_time`,
  )
  if (rows[0]!.is_off) throw new Refusal(409, IS_OFF)
  return { ...snapshot, class_time: rows[0]!.class_time }
}

/** Marks students of one class and day, all or none. A student who is not named stays as they are; null takes a mark back. Where a mark
 *  stands that `replaces` does not name, somebody else has marked meanwhile: theirs stays, and the answer, which is what stands, has it. */
export async function markRoll(
  tx: Tx,
  { class_id, class_date, marks }: RollMarks,
): Promise<StandingRecord[]> {
  const [marked] = await tx.select().from(classes).where(eq(classes.id, class_id))
  if (!marked) throw notFound('Class')
  const ids = marks.map(({ student_id }) => student_id)
  const found = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
  if (found.length < ids.length) throw notFound('Student')
  const names = new Map(found.map(({ id, name }) => [id, name]))
  const answered = (
    rows: Omit<Row, 'student_name'>[],
    arrived: readonly string[] = [],
  ): StandingRecord[] =>
    rows.map((row) => ({
      ...asRecord({ ...row, student_name: names.get(row.student_id)! }),
      is_check_in: row.present && arrived.includes(row.student_id),
    }))
  const ofRoll = (some: string[]) =>
    and(
      equalsAny(attendance.student_id, some),
      eq(attendance.class_id, class_id),
      eq(attendance.class_date, class_date),
    )
  const hasConditions = marks.some(({ replaces }) => replaces)
  const standing = () =>
    tx.select(columns).from(attendance).where(ofRoll(ids)).orderBy(attendance.student_id)
  const before = new Map(
    hasConditions
      ? (await standing().for('update')).map(({ student_id, present }) => [student_id, present])
      : [],
  )
  const mayReplace = marks.filter(({ student_id, present, replaces }) => {
    const now = before.get(student_id) ?? null
    return !replaces || now === present || replaces.includes(now)
  })
  const removed = mayReplace
    .filter(({ present }) => present === null)
    .map(({ student_id }) => student_id)
  if (removed.length > 0) await tx.delete(attendance).where(ofRoll(removed))
  const isMarking = mayReplace.some(({ present }) => present !== null)
  const snapshot = isMarking ? await snapshotOn(tx, marked, class_date) : classSnapshot(marked)
  // In one order, so that two calls never wait for each other.
  const values = mayReplace
    .flatMap(({ student_id, present }) =>
      present === null ? [] : [{ student_id, present, class_id, class_date, ...snapshot }],
    )
    .toSorted((one, other) => (one.student_id < other.student_id ? -1 : 1))
  // No lock holds the place of a mark that is not there: what another call puts there now stays.
  const certain = mayReplace
    .filter(({ student_id, replaces }) => !replaces || before.has(student_id))
    .map(({ student_id }) => student_id)
  const written =
    values.length > 0
      ? await tx
          .insert(attendance)
          .values(values)
          .onConflictDoUpdate({
            ...replaceMark,
            ...(hasConditions && { setWhere: equalsAny(attendance.student_id, certain) }),
          })
          .returning(columns)
      : []
  if (!hasConditions) return answered(written)
  const stands = await standing()
  const sent = new Map(marks.map(({ student_id, present }) => [student_id, present]))
  const unlike = stands
    .filter(({ student_id, present }) => sent.get(student_id) !== present)
    .map(({ student_id }) => student_id)
  return answered(
    stands,
    unlike.length > 0 ? await checkedIn(tx, unlike, class_id, class_date) : [],
  )
}

/** Which of the students have checked in at a kiosk, and not taken it back. */
async function checkedIn(
  tx: Tx,
  ids: string[],
  class_id: string,
  class_date: string,
): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ student_id: kioskCheckIns.student_id })
    .from(kioskCheckIns)
    .where(
      and(
        equalsAny(kioskCheckIns.student_id, ids),
        eq(kioskCheckIns.class_id, class_id),
        eq(kioskCheckIns.class_date, class_date),
        isNull(kioskCheckIns.undone_at),
      ),
    )
  return rows.map(({ student_id }) => student_id)
}

/** Deletes the student's mark for this class and day. */
export const unmarkAttendance = (tx: Tx, { student_id, class_id, class_date }: MarkTarget) =>
  tx
    .delete(attendance)
    .where(
      and(
        eq(attendance.student_id, student_id),
        eq(attendance.class_id, class_id),
        eq(attendance.class_date, class_date),
      ),
    )
