import type { MissingRule, RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness, ReadyStudent } from '@tatami/contract/belts/readiness'
import { expect, test } from 'vitest'
import {
  forecastWords,
  groupByReadiness,
  missingText,
  findPlaces,
  readyFrom,
  waivedOf,
} from './ready-groups.ts'

const lacks = (
  rule: RankRule,
  short_by: number | null = null,
  untilDay: string | null = null,
): MissingRule => ({ rule, short_by, until: untilDay })
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

test('says from when on time alone is enough', () => {
  const days = lacks('months', 11, '2026-03-12')
  expect(missingText([days])).toBe('11 days, from Mar 12, 2026')
  expect(missingText([days, lacks('min_age', null, '2026-05-01')])).toBe(
    '11 days, too young, from May 1, 2026',
  )
  expect(missingText([lacks('classes', 2), days])).toBe('2 classes, 11 days')
  expect(readyFrom([])).toBeNull()
})

test('counts who is ready by a day, and who is short of classes alone', () => {
  const students = [
    student('Ann', 'ready'),
    student('Ben', 'short', [lacks('classes', 1)]),
    student('Cleo', 'short', [lacks('classes', 3)]),
    student('Dan', 'short', [lacks('classes', 1), lacks('approval')]),
    student('Eva', 'trial', [lacks('classes', 1)]),
  ]
  expect(forecastWords(students, '2026-03-12')).toBe(
    'Ready by March 12: 1. Only missing classes: 2 (1 to 3). Missing something else: 1.',
  )
  expect(forecastWords([student('Ben', 'short', [lacks('classes', 3)])], '2026-03-12')).toBe(
    'Ready by March 12: 0. Only missing classes: 1 (3).',
  )
})

test('keeps everybody where they stood before the press', () => {
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
  const keptGroups = groupByReadiness(studentsAfter, findPlaces(studentsBefore))
  expect([ids(keptGroups.ready), ids(keptGroups.short)]).toEqual([['Ann', 'Ben', 'Dan'], ['Cleo']])
  const newGroups = groupByReadiness(studentsAfter, null)
  expect([ids(newGroups.ready), ids(newGroups.short)]).toEqual([
    ['Cleo', 'Dan'],
    ['Ben', 'Ann'],
  ])
})

test('names each waived rule once', () => {
  expect(
    waivedOf({ missing: [lacks('classes', 2), lacks('skills', 1), lacks('skills', 1)] }),
  ).toEqual(['classes', 'skills'])
})
