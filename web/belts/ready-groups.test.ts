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
const missingRule = (
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
const student = (
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

test('names the day if only time or age is missing', () => {
  const elevenDays = missingRule('months', 11, '2026-03-12')
  expect(describeMissingRules([elevenDays])).toBe('11 days, from Mar\u00A012,\u00A02026')
  expect(describeMissingRules([elevenDays, missingRule('min_age', null, '2026-05-01')])).toBe(
    '11 days, too young, from May\u00A01,\u00A02026',
  )
  expect(describeMissingRules([missingRule('classes', 2), elevenDays])).toBe('2 classes, 11 days')
  expect(findReadyDay([])).toBeNull()
})

test('counts who will be ready by a day and who is only missing classes', () => {
  const students = [
    student('Ann', 'ready'),
    student('Ben', 'short', [missingRule('classes', 1)]),
    student('Cleo', 'short', [missingRule('classes', 3)]),
    student('Dan', 'short', [missingRule('classes', 1), missingRule('approval')]),
    student('Eva', 'trial', [missingRule('classes', 1)]),
  ]
  expect(describeForecast(students, '2026-03-12')).toBe(
    'Ready by March 12: 1. Only missing classes: 2 (1 to 3). Missing something else: 1.',
  )
  expect(
    describeForecast([student('Ben', 'short', [missingRule('classes', 3)])], '2026-03-12'),
  ).toBe('Ready by March 12: 0. Only missing classes: 1 (3).')
})

test('keeps rows in their positions after an action', () => {
  const studentsBefore = [
    student('Ann', 'ready'),
    student('Ben', 'ready'),
    student('Cleo', 'short'),
  ]
  const studentsAfter = [
    student('Cleo', 'ready'),
    student('Dan', 'ready'),
    student('Ben', 'short'),
    student('Ann', 'short'),
  ]
  const ids = (group: readonly ReadyStudent[]) => group.map(({ student_id }) => student_id)
  const keptGroups = groupByReadiness(studentsAfter, findRowPositions(studentsBefore))
  expect([ids(keptGroups.ready), ids(keptGroups.short)]).toEqual([['Ann', 'Ben', 'Dan'], ['Cleo']])
  const newGroups = groupByReadiness(studentsAfter, null)
  expect([ids(newGroups.ready), ids(newGroups.short)]).toEqual([
    ['Cleo', 'Dan'],
    ['Ben', 'Ann'],
  ])
})

test('names each waived rule once', () => {
  expect(
    listWaivedRules({
      missing: [missingRule('classes', 2), missingRule('skills', 1), missingRule('skills', 1)],
    }),
  ).toEqual(['classes', 'skills'])
})
