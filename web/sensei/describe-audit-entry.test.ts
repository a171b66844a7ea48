import { expect, test } from 'vitest'
import { describeAuditEntry } from './describe-audit-entry.ts'

test.each([
  ['sensei activated', {}, 'Sensei account activated'],
  ['daily limit set', { daily_message_limit: 1500 }, 'Daily message limit set to 1,500'],
  [
    'month reset',
    { month: 0, year: 2026, students_reset: 3, total_paying_students: 12 },
    'Payments of January 2026 reset: 3 of 12 paying students',
  ],
  ['something new', {}, 'Something new'],
])('describes %s with %j as %j', (action, details, text) => {
  expect(describeAuditEntry({ action, details })).toBe(text)
})
