import type { classDeletionImpact } from '@tatami/contract/classes/classes'
import type { z } from 'zod'

const students = (n: number) =>
  n === 1 ? '1 student is enrolled and' : `${n} students are enrolled and`
const records = (n: number) =>
  n === 1 ? 'Its attendance record stays.' : `Its ${n} attendance records stay.`

export function deletionSummary(impact: z.output<typeof classDeletionImpact> | undefined): string {
  if (!impact) return 'Students enrolled in it are taken out of it. Past attendance stays.'
  const { enrolled_students, attendance_records } = impact
  const enrollmentText =
    enrolled_students > 0
      ? `${students(enrolled_students)} will be taken out of it.`
      : 'No student is enrolled in it.'
  return attendance_records > 0
    ? `${enrollmentText} ${records(attendance_records)}`
    : enrollmentText
}
