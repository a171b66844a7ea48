import type { SlippingStudent } from '@tatami/contract/slipping-away/slipping-away'
import { expect, test } from 'vitest'
import {
  describeAttendanceDrop,
  describeLastClass,
  describeOutcome,
  suggestText,
} from './at-risk-text.ts'

const student = (changes: Partial<SlippingStudent> = {}): SlippingStudent => ({
  student_id: 'a',
  name: 'Ken Adams',
  belt_level: 'white',
  rank: null,
  lists: ['days_7_to_14'],
  last_class_on: '2026-06-20',
  days: 10,
  classes_since: 5,
  classes_before: 8,
  texted_on: null,
  ...changes,
})

test('says when a student last came, or that they never came', () => {
  expect(describeLastClass(student())).toBe('Jun\u00A020,\u00A02026 · 10 days')
  expect(describeLastClass(student({ last_class_on: null, days: 1 }))).toBe('Never came in 1 day')
})

test('shows the drop in attendance only for students who come less often', () => {
  expect(describeAttendanceDrop(student())).toBeUndefined()
  expect(describeAttendanceDrop(student({ lists: ['coming_less'] }))).toBe('8 → 5 classes (−38%)')
})

test('says how many students came back after a text', () => {
  expect(describeOutcome({ texted: 12, came_back: 7, still_open: 0 })).toBe(
    'Of 12 students texted, 7 came back within 14 days.',
  )
  expect(describeOutcome({ texted: 2, came_back: 0, still_open: 2 })).toBe(
    'Of 2 students texted, 0 came back within 14 days. 2 still have time.',
  )
})

test('suggests a different text if all the students are on trial', () => {
  const trial = student({ lists: ['trial'] })
  expect(suggestText([student(), trial], 'Cedar Park Judo')).toContain(
    'Hi {name}, we have missed you at Cedar Park Judo.',
  )
  expect(suggestText([trial], null)).toContain(
    'Hi {name}, would you like to come to a class this week?',
  )
})
