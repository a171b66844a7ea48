import { NEWEST_FIRST, type SenseiSort, type SenseiSortKey } from '@tatami/contract/sensei/sensei'
import { expect, test } from 'vitest'
import {
  findSortDirection,
  describeDojo,
  formatLastLogin,
  SORT_CHOICES,
  toggleSort,
} from './sensei-columns.ts'

test.each([null, '', '  '])('shows a dojo named %j as not set', (name) => {
  expect(describeDojo(name)).toEqual({ name: 'Not Set', branding: 'Default Branding' })
})

test('shows a named dojo with custom branding', () => {
  expect(describeDojo('The Way')).toEqual({ name: 'The Way', branding: 'Custom Branding' })
})

test.each<[SenseiSortKey, SenseiSort, SenseiSort]>([
  ['name', 'name', '-name'],
  ['dojo', 'dojo', '-dojo'],
  ['place', 'place', '-place'],
  ['students', '-students', 'students'],
  ['status', 'status', '-status'],
])(
  'sorts by %s as %s on the first click, and as %s on the second',
  (column, firstSort, secondSort) => {
    expect(toggleSort(NEWEST_FIRST, column)).toBe(firstSort)
    expect(toggleSort(firstSort, column)).toBe(secondSort)
    expect(toggleSort(secondSort, column)).toBe(firstSort)
    expect(toggleSort(secondSort, 'created')).toBe(NEWEST_FIRST)
  },
)

test('offers both directions for each column, and the newest first by default', () => {
  expect(SORT_CHOICES[0]).toBe('-created')
  const columnCount = 6
  expect(new Set(SORT_CHOICES).size).toBe(2 * columnCount)
})

test('marks only the sorted column', () => {
  expect([
    findSortDirection('-created', 'created'),
    findSortDirection('created', 'created'),
    findSortDirection('-created', 'name'),
  ]).toEqual(['descending', 'ascending', undefined])
})

test('formats the day of a sensei’s last login', () => {
  const formatLastSeen = (last_seen_on: string | null) =>
    formatLastLogin({ last_seen_on, texts: 0 }, new Date('2027-03-31T12:00:00Z'))
  expect([
    formatLastSeen(null),
    formatLastSeen('2027-03-31'),
    formatLastSeen('2027-03-30'),
  ]).toEqual(['Never', 'Today', 'Mar\u00A030,\u00A02027'])
})
