import type { AttendanceRecord, MarkValue } from '@tatami/contract/attendance/attendance'
import type { Excuse } from '@tatami/contract/calendar/excuses'
import type { Student } from '@tatami/contract/students/students'
import {
  isSendable,
  isWaiting,
  describeFailure,
  type MarkTarget,
  type PendingMark,
  type ServerMark,
} from './pending-marks.ts'

export type RollRow = {
  target: MarkTarget
  student: Student
  isDropIn: boolean
  /** Not enrolled, but has a place on this date */
  isGuest: boolean
  /** The unsent value, or else the server's. Null means not marked. */
  present: MarkValue
  savedValue: MarkValue
  /** Counts only while the student has no mark. */
  excuse: Excuse | undefined
  isSaving: boolean
  isWaiting: boolean
  unsaved: { mark: PendingMark; reason: string } | undefined
  conflictingMark: ServerMark | undefined
}

type RollSources = {
  students: readonly Student[]
  records: readonly AttendanceRecord[]
  excuses: readonly Excuse[]
  pendingMarks: readonly PendingMark[]
  guestIds?: ReadonlySet<string>
}

function toUnsavedMark(mark: PendingMark): RollRow['unsaved'] {
  const reason = describeFailure(mark)
  return reason === undefined ? undefined : { mark, reason }
}

/** Lists enrolled students first, then guests, then drop-ins. */
export function buildRoll(
  class_id: string,
  day: string,
  { students, records, excuses, pendingMarks, guestIds }: RollSources,
): RollRow[] {
  const savedByStudent = new Map(records.map(({ student_id, present }) => [student_id, present]))
  const excuseByStudent = new Map(excuses.map((excuse) => [excuse.student_id, excuse]))
  const pendingByStudent = new Map(
    pendingMarks
      .filter((pendingMark) => pendingMark.class_id === class_id && pendingMark.day === day)
      .map((pendingMark) => [pendingMark.student_id, pendingMark]),
  )
  const rows = students.map((student): RollRow => {
    const pendingMark = pendingByStudent.get(student.id)
    const savedValue = savedByStudent.get(student.id) ?? null
    const isEnrolled = student.enrolled_classes.includes(class_id)
    const isGuest = !isEnrolled && (guestIds?.has(student.id) ?? false)
    return {
      target: { student_id: student.id, class_id, day },
      student,
      isDropIn: !isEnrolled && !isGuest,
      isGuest,
      present: pendingMark ? pendingMark.present : savedValue,
      savedValue,
      excuse: excuseByStudent.get(student.id),
      isSaving: pendingMark !== undefined && isSendable(pendingMark) && !pendingMark.hasFailed,
      isWaiting: pendingMark !== undefined && isWaiting(pendingMark),
      unsaved: pendingMark && toUnsavedMark(pendingMark),
      conflictingMark: pendingMark?.elsewhere,
    }
  })
  // Everybody who is not enrolled is a possible drop-in. Only those with a mark are listed.
  return [
    ...rows.filter((row) => !row.isDropIn && !row.isGuest),
    ...rows.filter((row) => row.isGuest),
    ...rows.filter(
      (row) => row.isDropIn && (row.present !== null || row.unsaved || row.conflictingMark),
    ),
  ]
}

export const isUnmarked = (row: RollRow): boolean =>
  row.present === null && !row.conflictingMark && !isExcused(row)

export const isExcused = ({ excuse, present }: RollRow): boolean =>
  excuse !== undefined && present === null

/** Counts the rows of each kind. An excused student without a mark is not `expected`. */
export function countRoll(rows: readonly RollRow[]) {
  return {
    expected: rows.filter((row) => !isExcused(row)).length,
    marked: rows.filter(({ present }) => present !== null).length,
    present: rows.filter(({ present }) => present).length,
    excused: rows.filter(({ excuse, present }) => excuse && present !== true).length,
    waiting: rows.filter((row) => row.isWaiting).length,
    unsaved: rows.filter((row) => row.unsaved).length,
    conflicting: rows.filter(({ conflictingMark }) => conflictingMark).length,
  }
}
