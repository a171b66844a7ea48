import {
  ATTENDANCE_PAGE_SIZE,
  type AttendanceFilter,
  type AttendanceMark,
  type AttendanceRecord,
  type ListedRecord,
  toClassDate,
  type MarkReply,
  type MarkTarget,
  type MarkValue,
  type RollMarks,
} from '@tatami/contract/attendance/attendance'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { isCanceledOrMoved } from '../calendar/timetable/timetable.ts'
import { classDates } from '../calendar/timetable/tables.ts'
import { toClassSnapshot, type ClassSnapshot } from '../classes/classes.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findVisibleStudents } from '../guardians/readers.ts'
import type { DojoCaller } from '../http/serve.ts'
import { forgetStarts, startFollowups } from '../followups/followups.ts'
import { kioskCheckIns } from '../kiosk/tables.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, getOrThrow, pick, pluck } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { staffMembers } from '../staff/tables.ts'
import { students } from '../students/tables.ts'
import { endHoldsOnReturn } from './returns.ts'
import { attendance } from './tables.ts'

const markColumns = {
  ...pick(attendance, 'id', 'student_id', 'class_id', 'class_date', 'present'),
  ...pick(attendance, 'class_name', 'class_time', 'class_location'),
}
type MarkRow = Omit<typeof attendance.$inferSelect, 'dojo_id' | 'created_at' | 'marked_by'>
type ClassDay = Pick<MarkTarget, 'class_id' | 'class_date'>

/** In the API a class date is midnight UTC. It is never converted to another time zone. */
const toAttendanceRecord = (row: MarkRow & { student_name: string }): AttendanceRecord => ({
  ...row,
  class_date: toClassDate(row.class_date),
})

/** Students get their own records, and guardians get their children's. Throws 404 for other
 *  students. */
export async function listAttendance(
  tx: Tx,
  caller: DojoCaller,
  filter: AttendanceFilter,
): Promise<ListedRecord[]> {
  const visibleIds = caller.role === 'instructor' ? null : await findVisibleStudents(tx, caller)
  if (caller.role === 'guardian' && filter.student_id && !visibleIds?.includes(filter.student_id))
    throw notFound('Student')
  // The page is a subquery: if PostgreSQL joined the names first, it might read all marks.
  const page = tx
    .select({ ...markColumns, marked_by: attendance.marked_by })
    .from(attendance)
    .where(
      and(
        visibleIds ? equalsAny(attendance.student_id, visibleIds) : undefined,
        filter.student_id ? eq(attendance.student_id, filter.student_id) : undefined,
        filter.class_id ? eq(attendance.class_id, filter.class_id) : undefined,
        filter.class_date ? eq(attendance.class_date, filter.class_date) : undefined,
        filter.before ? isOlderThan(filter.before) : undefined,
      ),
    )
    .orderBy(desc(attendance.class_date), desc(attendance.id))
    .limit(filter.limit ?? ATTENDANCE_PAGE_SIZE)
    .as('page')
  const rows = await tx
    .select({
      ...page._.selectedFields,
      student_name: students.name,
      marked_by: (await maySeeMarkerNames(tx, caller)) ? instructors.name : sql<null>`null`,
    })
    .from(page)
    .innerJoin(students, eq(students.id, page.student_id))
    .leftJoin(instructors, eq(instructors.id, page.marked_by))
    .orderBy(desc(page.class_date), desc(page.id))
  return rows.map((row) => ({ ...row, class_date: toClassDate(row.class_date) }))
}

const maySeeMarkerNames = async (tx: Tx, { staff }: DojoCaller): Promise<boolean> =>
  staff?.rights.has('staff') === true && (await tx.$count(staffMembers)) > 1

const isOlderThan = (id: string) =>
  sql`(${attendance.class_date}, ${attendance.id}) < (
    select a.class_date, a.id from ${attendance} a
    where a.dojo_id = ${attendance.dojo_id} and a.id = ${id})`

/** Returns null, and marks nothing, if someone else removed the mark in the meantime. */
export async function markAttendance(
  tx: Tx,
  { class_id, class_date, ...mark }: AttendanceMark,
  markedBy: string | null,
): Promise<MarkReply | null> {
  const [record] = await markRoll(tx, { class_id, class_date, marks: [mark] }, markedBy)
  return record ?? null
}

/** Marks all students or none. A mark that `replaces` does not list is newer and is kept. */
export async function markRoll(
  tx: Tx,
  { class_id, class_date, marks }: RollMarks,
  markedBy: string | null,
): Promise<MarkReply[]> {
  const classDay = { class_id, class_date, marked_by: markedBy }
  const ids = pluck(marks, 'student_id')
  const [dojoClass] = await tx.select().from(classes).where(eq(classes.id, class_id))
  if (!dojoClass) throw notFound('Class')
  const names = await readNames(tx, ids)
  const toMarkReply = (row: MarkRow, is_check_in = false): MarkReply => ({
    ...toAttendanceRecord({ ...row, student_name: getOrThrow(names, row.student_id) }),
    is_check_in,
  })
  if (!marks.some(({ replaces }) => replaces)) {
    const rows = await applyMarks(tx, dojoClass, classDay, marks)
    return rows.map((row) => toMarkReply(row))
  }
  const previousRows = await selectMarks(tx, classDay, ids).for('update')
  const previousMarks = new Map(previousRows.map((row) => [row.student_id, row.present]))
  const allowedMarks = marks.filter((mark) =>
    mayReplace(mark, previousMarks.get(mark.student_id) ?? null),
  )
  // A mark that does not exist cannot be locked. If another request creates it now, it is kept.
  const overwritingMarks = allowedMarks.filter(
    ({ student_id, replaces }) => !replaces || previousMarks.has(student_id),
  )
  const overwrittenIds = pluck(overwritingMarks, 'student_id')
  await applyMarks(tx, dojoClass, classDay, allowedMarks, overwrittenIds)
  const rows = await selectMarks(tx, classDay, ids)
  const sentMarks = new Map(marks.map((mark) => [mark.student_id, mark.present]))
  const keptRows = rows.filter((row) => sentMarks.get(row.student_id) !== row.present)
  const checkedInIds = await findCheckedInIds(tx, classDay, pluck(keptRows, 'student_id'))
  return rows.map((row) => toMarkReply(row, row.present && checkedInIds.includes(row.student_id)))
}

const mayReplace = (
  { present, replaces }: Pick<RollMarks['marks'][number], 'present' | 'replaces'>,
  previousMark: MarkValue,
) => !replaces || previousMark === present || replaces.includes(previousMark)

async function readNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(equalsAny(students.id, ids))
  if (rows.length < ids.length) throw notFound('Student')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const isMarkOf = ({ class_id, class_date }: ClassDay, studentIds: string[]) =>
  and(
    equalsAny(attendance.student_id, studentIds),
    eq(attendance.class_id, class_id),
    eq(attendance.class_date, class_date),
  )

const selectMarks = (tx: Tx, classDay: ClassDay, studentIds: string[]) =>
  tx
    .select(markColumns)
    .from(attendance)
    .where(isMarkOf(classDay, studentIds))
    .orderBy(attendance.student_id)

type MarkedClassDay = ClassDay & { marked_by: string | null }

/** Writes marks, and starts or forgets the first 90 days of new students. */
async function applyMarks(
  tx: Tx,
  dojoClass: typeof classes.$inferSelect,
  classDay: MarkedClassDay,
  marks: RollMarks['marks'],
  overwrittenIds?: string[],
): Promise<MarkRow[]> {
  const rows = await writeMarks(tx, dojoClass, classDay, marks, overwrittenIds)
  const presentMarks = marks.filter(({ present }) => present)
  const otherMarks = marks.filter(({ present }) => !present)
  await startFollowups(tx, dojoClass.dojo_id, pluck(presentMarks, 'student_id'))
  await forgetStarts(tx, pluck(otherMarks, 'student_id'), classDay.class_date)
  return rows
}

/** With `overwrittenIds`, only the existing marks of these students are replaced. */
async function writeMarks(
  tx: Tx,
  dojoClass: typeof classes.$inferSelect,
  classDay: MarkedClassDay,
  marks: RollMarks['marks'],
  overwrittenIds?: string[],
): Promise<MarkRow[]> {
  const newMarks = []
  for (const { student_id, present } of marks)
    if (present !== null) newMarks.push({ student_id, present, ...classDay })
  const removedMarks = marks.filter(({ present }) => present === null)
  const removedIds = pluck(removedMarks, 'student_id')
  if (removedIds.length > 0) await tx.delete(attendance).where(isMarkOf(classDay, removedIds))
  if (newMarks.length === 0) return []
  const presentIds = pluck(
    newMarks.filter(({ present }) => present),
    'student_id',
  )
  await endHoldsOnReturn(tx, dojoClass.dojo_id, presentIds, classDay.class_date)
  const snapshot = await readSnapshot(tx, dojoClass, classDay.class_date)
  // All requests write marks in the same order, so that two of them never wait for each other.
  const rows = newMarks
    .map((mark) => ({ ...mark, ...snapshot }))
    .toSorted((a, b) => (a.student_id < b.student_id ? -1 : 1))
  return tx
    .insert(attendance)
    .values(rows)
    .onConflictDoUpdate({
      target: [
        attendance.dojo_id,
        attendance.student_id,
        attendance.class_id,
        attendance.class_date,
      ],
      set: { present: sql`excluded.present`, marked_by: classDay.marked_by },
      ...(overwrittenIds && { setWhere: equalsAny(attendance.student_id, overwrittenIds) }),
    })
    .returning(markColumns)
}

/** Throws 409 if the class was canceled or moved. */
async function readSnapshot(
  tx: Tx,
  dojoClass: typeof classes.$inferSelect,
  day: string,
): Promise<ClassSnapshot> {
  const snapshot = toClassSnapshot(dojoClass)
  const classId = sql`${dojoClass.id}::uuid`
  const heldOn = sql`${day}::date`
  const { rows } = await tx.execute<{ refuses_marks: boolean; class_time: string }>(sql`
    select ${isCanceledOrMoved(classId, heldOn)} as refuses_marks, coalesce(
      (select d.start_time || ' - ' || d.end_time from ${classDates} d
        where d.class_id = ${classId} and d.held_on = ${heldOn}),
      ${snapshot.class_time}::text) as class_time`)
  const { refuses_marks, class_time } = firstRow(rows)
  if (refuses_marks) throw new Refusal(409, 'This class was canceled or moved to another day')
  return { ...snapshot, class_time }
}

async function findCheckedInIds(
  tx: Tx,
  { class_id, class_date }: ClassDay,
  studentIds: string[],
): Promise<string[]> {
  if (studentIds.length === 0) return []
  const rows = await tx
    .selectDistinct({ student_id: kioskCheckIns.student_id })
    .from(kioskCheckIns)
    .where(
      and(
        equalsAny(kioskCheckIns.student_id, studentIds),
        eq(kioskCheckIns.class_id, class_id),
        eq(kioskCheckIns.class_date, class_date),
        isNull(kioskCheckIns.undone_at),
      ),
    )
  return pluck(rows, 'student_id')
}

export async function unmarkAttendance(
  tx: Tx,
  { student_id, ...classDay }: MarkTarget,
): Promise<void> {
  await tx.delete(attendance).where(isMarkOf(classDay, [student_id]))
  await forgetStarts(tx, [student_id], classDay.class_date)
}

export async function readMark(tx: Tx, { student_id, ...classDay }: MarkTarget) {
  const [row] = await selectMarks(tx, classDay, [student_id])
  return row?.present ?? null
}
