import type { AttendanceRecord, MarkValue } from '@tatami/contract/attendance/attendance'
import type { Excuse } from '@tatami/contract/calendar/excuses'
import type { Student } from '@tatami/contract/students/students'
import {
  isSendable,
  isWaiting,
  notSavedReason,
  type MarkTarget,
  type PendingMark,
  type ServerMark,
} from './pending-marks.ts'

export type Row = {
  target: MarkTarget
  student: Student
  isDropIn: boolean
  /** Not enrolled, but with a place on this date. */
  isGuest: boolean
  /** The unsent value, or else the server's; null is not marked. */
  present: MarkValue
  /** The server's value. */
  saved: MarkValue
  /** A mark counts more than an excuse. */
  excuse: Excuse | undefined
  isSaving: boolean
  isWaiting: boolean
  /** The server answered, but did not save the mark. */
  notSaved: { mark: PendingMark; reason: string } | undefined
  /** Somebody else's different mark: a tap decides. */
  elsewhere: ServerMark | undefined
}

type RollSources = {
  students: readonly Student[]
  records: readonly AttendanceRecord[]
  excuses: readonly Excuse[]
  pending: readonly PendingMark[]
  /** Ids of students with a place on this date who are not enrolled. */
  guests?: ReadonlySet<string>
}

function notSavedOf(mark: PendingMark): Row['notSaved'] {
  const reason = notSavedReason(mark)
  return reason === undefined ? undefined : { mark, reason }
}

/** Enrolled students first, then guests, then drop-ins. */
export function buildRoll(
  class_id: string,
  day: string,
  { students, records, excuses, pending, guests }: RollSources,
): Row[] {
  const savedByStudent = new Map(records.map(({ student_id, present }) => [student_id, present]))
  const excuseByStudent = new Map(excuses.map((excuse) => [excuse.student_id, excuse]))
  const pendingByStudent = new Map(
    pending
      .filter((pendingMark) => pendingMark.class_id === class_id && pendingMark.day === day)
      .map((pendingMark) => [pendingMark.student_id, pendingMark]),
  )
  const rows = students.map((student): Row => {
    const pendingMark = pendingByStudent.get(student.id),
      savedPresent = savedByStudent.get(student.id) ?? null,
      isIn = student.enrolled_classes.includes(class_id),
      isGuest = !isIn && (guests?.has(student.id) ?? false)
    return {
      target: { student_id: student.id, class_id, day },
      student,
      isDropIn: !isIn && !isGuest,
      isGuest,
      present: pendingMark ? pendingMark.present : savedPresent,
      saved: savedPresent,
      excuse: excuseByStudent.get(student.id),
      isSaving: pendingMark !== undefined && isSendable(pendingMark) && !pendingMark.hasFailed,
      isWaiting: pendingMark !== undefined && isWaiting(pendingMark),
      notSaved: pendingMark && notSavedOf(pendingMark),
      elsewhere: pendingMark?.elsewhere,
    }
  })
  return [
    ...rows.filter((row) => !row.isDropIn && !row.isGuest),
    ...rows.filter((row) => row.isGuest),
    ...rows.filter(
      (row) => row.isDropIn && (row.present !== null || row.notSaved || row.elsewhere),
    ),
  ]
}

/** Neither marked nor excused. */
export const isUnmarked = (row: Row): boolean =>
  row.present === null && !row.elsewhere && !isExcused(row)

/** Excused and not marked, so nobody needs to mark them. */
export const isExcused = ({ excuse, present }: Row): boolean =>
  excuse !== undefined && present === null

/** `all` leaves out excused students who were not marked. */
export function countRoll(rows: readonly Row[]) {
  const markedCount = rows.filter(({ present }) => present !== null).length
  return {
    all: rows.filter((row) => !isExcused(row)).length,
    marked: markedCount,
    present: rows.filter(({ present }) => present).length,
    excused: rows.filter(({ excuse, present }) => excuse && present !== true).length,
    waiting: rows.filter((row) => row.isWaiting).length,
    notSaved: rows.filter(({ notSaved }) => notSaved).length,
    toDecide: rows.filter(({ elsewhere }) => elsewhere).length,
  }
}
