import type { MissingRule, RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { expect, test } from 'vitest'
import {
  describeForecast,
  groupByReadiness,
  describeMissingRules,
  findRowPositions,
  findReadyDay,
  listWaivedRules,
} from './ready-groups.ts'

/** `shortBy` is in the unit of the rule: classes, skills, or days for missing months. */
const createRule = (
  rule: RankRule,
  shortBy: number | null = null,
  untilDay: string | null = null,
): MissingRule => ({ rule, short_by: shortBy, until: untilDay })
const rank = {
  id: 'r',
  name: '9th kyu',
  colours: ['white' as const],
  pattern: 'solid' as const,
  tags_count: 0,
  tags_colour: null,
}
const createStudent = (
  student_id: string,
  readiness: Readiness,
  missingRules: MissingRule[] = [],
): ReadyStudent => ({
  student_id,
  name: student_id,
  belt_level: 'white',
  rank: { ...rank, stripes: 0 },
  since: '2026-01-01',
  classes: 12,
  months: 3,
  next: { ...rank, name: '8th kyu' },
  fee: null,
  missing: missingRules,
  instructor_decides: readiness === 'instructor_decides',
  readiness,
  is_approved: false,
  max_stripes: 0,
  belt_size: null,
})

test('shows the day if only time or age is missing', () => {
  const elevenDays = createRule('months', 11, '2026-03-12')
  expect(describeMissingRules([elevenDays])).toBe('11 days, from Mar\u00A012,\u00A02026')
  expect(describeMissingRules([elevenDays, createRule('min_age', null, '2026-05-01')])).toBe(
    '11 days, too young, from May\u00A01,\u00A02026',
  )
  expect(describeMissingRules([createRule('classes', 2), elevenDays])).toBe('2 classes, 11 days')
  expect(findReadyDay([])).toBeNull()
})

test('counts students who will be ready by a day and students who are only missing classes', () => {
  const students = [
    createStudent('Ann', 'ready'),
    createStudent('Ben', 'short', [createRule('classes', 1)]),
    createStudent('Cleo', 'short', [createRule('classes', 3)]),
    createStudent('Dan', 'short', [createRule('classes', 1), createRule('approval')]),
    createStudent('Eva', 'trial', [createRule('classes', 1)]),
  ]
  expect(describeForecast(students, '2026-03-12')).toBe(
    'Ready by March 12: 1. Only missing classes: 2 (1 to 3). Missing something else: 1.',
  )
  expect(
    describeForecast([createStudent('Ben', 'short', [createRule('classes', 3)])], '2026-03-12'),
  ).toBe('Ready by March 12: 0. Only missing classes: 1 (3).')
})

test('keeps rows in their positions after an action', () => {
  const studentsBefore = [
    createStudent('Ann', 'ready'),
    createStudent('Ben', 'ready'),
    createStudent('Cleo', 'short'),
  ]
  const studentsAfter = [
    createStudent('Cleo', 'ready'),
    createStudent('Dan', 'ready'),
    createStudent('Ben', 'short'),
    createStudent('Ann', 'short'),
  ]
  const pickIds = (group: readonly ReadyStudent[]) => group.map(({ student_id }) => student_id)
  const keptGroups = groupByReadiness(studentsAfter, findRowPositions(studentsBefore))
  expect([pickIds(keptGroups.ready), pickIds(keptGroups.short)]).toEqual([
    ['Ann', 'Ben', 'Dan'],
    ['Cleo'],
  ])
  const newGroups = groupByReadiness(studentsAfter, null)
  expect([pickIds(newGroups.ready), pickIds(newGroups.short)]).toEqual([
    ['Cleo', 'Dan'],
    ['Ben', 'Ann'],
  ])
})

test('lists each waived rule once', () => {
  expect(
    listWaivedRules({
      missing: [createRule('classes', 2), createRule('skills', 1), createRule('skills', 1)],
    }),
  ).toEqual(['classes', 'skills'])
})
