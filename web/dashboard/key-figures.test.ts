import { expect, test } from 'vitest'
import {
  describeAttendance,
  describeChange,
  describeFees,
  describeGrowth,
  describeMovements,
} from './key-figures.ts'

const createMonth = (newStudents: number, leavers: number, at_start = 20) => ({
  month: '2026-03-01',
  enrolled: newStudents,
  departed: leavers,
  at_start,
  stayed: 0,
})
const createClass = (class_name: string, marks: number, rate: number | null) => ({
  class_id: class_name,
  class_name,
  marks,
  rate,
})

test('says how a number has changed this month', () => {
  expect([4, -1, 0].map(describeChange)).toEqual(['+4 this month', '−1 this month', 'no change'])
})

test('says whether the school has grown in a year', () => {
  const months = [createMonth(3, 1), createMonth(2, 1)]
  expect(describeGrowth(months)).toBe('3 more students than a year ago')
  expect(describeMovements(months)).toBe('5 students joined and 2 left in the last 12 months')
  expect(describeGrowth([createMonth(0, 1)])).toBe('1 fewer student than a year ago')
  expect(describeGrowth([createMonth(1, 1)])).toBe('Same number of students as a year ago')
})

test('counts the students in the first year of a school', () => {
  expect(describeGrowth([createMonth(40, 0, 0), createMonth(3, 1, 40)])).toBe(
    '42 students in your first year here',
  )
  expect(describeGrowth([createMonth(0, 0, 0)])).toBe('No students')
})

test('says what share of this month’s fees was received', () => {
  const lastMonth = { month: '2026-02-01', expected: 100, received: 100 }
  const thisMonth = { month: '2026-03-01', expected: 400, received: 100 }
  expect(describeFees([lastMonth, thisMonth])).toBe('25% of this month’s fees are in')
  expect(describeFees([{ ...thisMonth, expected: 0, received: 0 }])).toBe(
    'No fees are due this month',
  )
})

test('says what share of marks is present, and names the class with the lowest share', () => {
  const kids = createClass('Kids', 30, 0.9)
  expect(
    describeAttendance([kids, createClass('Teens', 10, 0.5), createClass('New', 0, null)]),
  ).toBe('80% present, lowest in Teens (50%)')
  expect(describeAttendance([kids])).toBe('90% present')
  expect(describeAttendance([createClass('New', 0, null)])).toBe('No attendance yet')
})
