import type { AttendanceRecord } from '@tatami/contract/attendance'
import type { Student } from '@tatami/contract/students'
import type { Subject, Tap } from './mark-queue.ts'

export type Row = {
  subject: Subject
  student: Student
  isDropIn: boolean
  /** What was tapped last, also when it could not be saved, else what the server has; null is not marked. */
  present: boolean | null
  isSaving: boolean
  failed: Tap | undefined
}

type Known = { students: readonly Student[]; records: readonly AttendanceRecord[]; taps: readonly Tap[] }

/** The roll of one class on one day: the enrolled by name, then the drop-ins. */
export function rollOf(class_id: string, day: string, { students, records, taps }: Known): Row[] {
  const saved = new Map(records.map(({ student_id, present }) => [student_id, present]))
  const tapped = new Map(taps.filter((tap) => tap.class_id === class_id && tap.day === day).map((tap) => [tap.student_id, tap]))
  const rows = students.map((student): Row => {
    const tap = tapped.get(student.id),
      known = saved.get(student.id) ?? null
    return {
      subject: { student_id: student.id, class_id, day },
      student,
      isDropIn: !student.enrolled_classes.includes(class_id),
      present: tap ? tap.present : known,
      isSaving: tap !== undefined && !tap.failure,
      // One that got no answer may have arrived after all.
      failed: tap?.failure && tap.present !== known ? tap : undefined,
    }
  })
  return [...rows.filter((row) => !row.isDropIn), ...rows.filter((row) => row.isDropIn && (row.present !== null || row.failed))]
}

export function countsOf(rows: readonly Row[]) {
  const marked = rows.filter(({ present }) => present !== null).length
  return {
    all: rows.length,
    marked,
    present: rows.filter(({ present }) => present).length,
    failed: rows.filter(({ failed }) => failed).length,
  }
}
