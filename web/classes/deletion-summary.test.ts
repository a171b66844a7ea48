import { expect, test } from 'vitest'
import { deletionSummary } from './deletion-summary.ts'

test.each([
  [undefined, 'Students enrolled in it are taken out of it. Past attendance stays.'],
  [{ enrolled_students: 0, attendance_records: 0 }, 'No student is enrolled in it.'],
  [
    { enrolled_students: 1, attendance_records: 1 },
    '1 student is enrolled and will be taken out of it. Its attendance record stays.',
  ],
  [
    { enrolled_students: 12, attendance_records: 84 },
    '12 students are enrolled and will be taken out of it. Its 84 attendance records stay.',
  ],
])('summarises %j as %s', (impact, words) => {
  expect(deletionSummary(impact)).toBe(words)
})
