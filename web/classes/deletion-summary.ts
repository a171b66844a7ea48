import type { classDeletionImpact } from '@tatami/contract/classes/classes'
import type { z } from 'zod'

const describeStudents = (count: number) =>
  count === 1 ? '1 student is enrolled and' : `${count} students are enrolled and`
const describeRecords = (count: number) =>
  count === 1 ? 'Its attendance record is kept.' : `Its ${count} attendance records are kept.`

export function summarizeDeletion(
  impact: z.output<typeof classDeletionImpact> | undefined,
): string {
  if (!impact) return 'Enrolled students will be removed from it. Past attendance is kept.'
  const { enrolled_students, attendance_records } = impact
  const enrollmentText =
    enrolled_students > 0
      ? `${describeStudents(enrolled_students)} will be removed from it.`
      : 'No students are enrolled in it.'
  return attendance_records > 0
    ? `${enrollmentText} ${describeRecords(attendance_records)}`
    : enrollmentText
}
