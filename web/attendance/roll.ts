import type { AttendanceRecord } from '@tatami/contract/attendance'
import type { Student } from '@tatami/contract/students'
import type { MarkTarget, PendingMark } from './mark-queue.ts'

export type Row = {
  target: MarkTarget
  student: Student
  isDropIn: boolean
  /** The pending value, also of a failed mark, else the server's; null is not marked. */
  present: boolean | null
  isSaving: boolean
  failed: PendingMark | undefined
}

type RollSources = { students: readonly Student[]; records: readonly AttendanceRecord[]; pending: readonly PendingMark[] }

/** The roll of one class on one day: enrolled students by name, then drop-ins. */
export function buildRoll(class_id: string, day: string, { students, records, pending }: RollSources): Row[] {
  const savedByStudent = new Map(records.map(({ student_id, present }) => [student_id, present]))
  const pendingByStudent = new Map(
    pending
      .filter((pendingMark) => pendingMark.class_id === class_id && pendingMark.day === day)
      .map((pendingMark) => [pendingMark.student_id, pendingMark]),
  )
  const rows = students.map((student): Row => {
    const pendingMark = pendingByStudent.get(student.id),
      savedPresent = savedByStudent.get(student.id) ?? null
    return {
      target: { student_id: student.id, class_id, day },
      student,
      isDropIn: !student.enrolled_classes.includes(class_id),
      present: pendingMark ? pendingMark.present : savedPresent,
      isSaving: pendingMark !== undefined && !pendingMark.failure,
      // A mark that got no answer may have arrived.
      failed: pendingMark?.failure && pendingMark.present !== savedPresent ? pendingMark : undefined,
    }
  })
  return [...rows.filter((row) => !row.isDropIn), ...rows.filter((row) => row.isDropIn && (row.present !== null || row.failed))]
}

export function countRoll(rows: readonly Row[]) {
  const marked = rows.filter(({ present }) => present !== null).length
  return {
    all: rows.length,
    marked,
    present: rows.filter(({ present }) => present).length,
    failed: rows.filter(({ failed }) => failed).length,
  }
}
