import { expect, test } from 'vitest'
import { summarizeDeletion } from './deletion-summary.ts'

test.each([
  [undefined, 'Enrolled students will be removed from it. Past attendance is kept.'],
  [{ enrolled_students: 0, attendance_records: 0 }, 'No students are enrolled in it.'],
  [
    { enrolled_students: 1, attendance_records: 1 },
    '1 student is enrolled and will be removed from it. Its attendance record is kept.',
  ],
  [
    { enrolled_students: 12, attendance_records: 84 },
    '12 students are enrolled and will be removed from it. Its 84 attendance records are kept.',
  ],
])('summarizes %j as %s', (impact, summary) => {
  expect(summarizeDeletion(impact)).toBe(summary)
})
