import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { and, between, desc, isNotNull, isNull } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { pluck } from '../../lib/rows.ts'
import { staffMembers } from '../tables.ts'

/** How far back a roll counts for who teaches a class. */
const ROLL_DAYS = 28

type TaughtDate = Pick<ClassDate, 'class_id' | 'substitute' | 'substitute_id'>

/** Class id → the staff who teach it today: the substitute, otherwise the staff who have it among
 *  their own classes, otherwise the person who took its last roll. */
export async function findTeachers(
  tx: Tx,
  dates: readonly TaughtDate[],
  today: string,
): Promise<Map<string, string[]>> {
  const staffByClass = await findStaffByClass(tx)
  const markerByClass = await findLastMarkers(tx, pluck(dates, 'class_id'), today)
  const listTeachers = ({ class_id, substitute, substitute_id }: TaughtDate): string[] => {
    if (substitute !== null) return substitute_id === null ? [] : [substitute_id]
    const marker = markerByClass.get(class_id)
    return staffByClass.get(class_id) ?? (marker ? [marker] : [])
  }
  return new Map(dates.map((date) => [date.class_id, listTeachers(date)]))
}

async function findStaffByClass(tx: Tx): Promise<Map<string, string[]>> {
  const members = await tx
    .select({ id: staffMembers.instructor_id, class_ids: staffMembers.class_ids })
    .from(staffMembers)
    .where(and(isNull(staffMembers.ended_at), isNotNull(staffMembers.class_ids)))
  const staffByClass = new Map<string, string[]>()
  for (const { id, class_ids: classIds } of members)
    for (const classId of classIds ?? [])
      staffByClass.set(classId, [...(staffByClass.get(classId) ?? []), id])
  return staffByClass
}

async function findLastMarkers(
  tx: Tx,
  classIds: string[],
  today: string,
): Promise<Map<string | null, string | null>> {
  const rows = await tx
    .selectDistinctOn([attendance.class_id], {
      class_id: attendance.class_id,
      marked_by: attendance.marked_by,
    })
    .from(attendance)
    .where(
      and(
        equalsAny(attendance.class_id, classIds),
        between(attendance.class_date, addDays(today, -ROLL_DAYS), today),
        isNotNull(attendance.marked_by),
      ),
    )
    .orderBy(attendance.class_id, desc(attendance.class_date), desc(attendance.id))
  return new Map(rows.map(({ class_id, marked_by }) => [class_id, marked_by]))
}
