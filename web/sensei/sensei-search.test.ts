import type { Sensei } from '@tatami/contract/sensei'
import { expect, test } from 'vitest'
import { dojoNameAndBranding, NEWEST_FIRST, senseiMatches, toggleSorting, type SortKey, sortSensei } from './sensei-search.ts'

const aiko: Sensei = {
  sensei_id: '0',
  full_name: 'Aiko Tanaka',
  dojo_name: 'The Way',
  contact_number: '5125550100',
  email: 'aiko@tanaka.com',
  city: 'Austin',
  state: 'Texas',
  total_students: 0,
  is_active: true,
  created_at: '2026-01-02T00:00:00Z',
}

test.each(['', '  ', 'tanaka', 'THE WAY', 'aiko@', 'austin', 'tex'])('matches a sensei by %j', (typed) => {
  expect(senseiMatches(aiko, typed, 'all')).toBe(true)
})

test('does not match other words', () => {
  expect(senseiMatches(aiko, 'ken', 'all')).toBe(false)
})

test('does not match a sensei of another status', () => {
  expect([senseiMatches(aiko, '', 'active'), senseiMatches(aiko, '', 'inactive')]).toEqual([true, false])
  expect([
    senseiMatches({ ...aiko, is_active: false }, '', 'active'),
    senseiMatches({ ...aiko, is_active: false }, '', 'inactive'),
  ]).toEqual([false, true])
})

test('searches a dojo without a name and a place', () => {
  expect(senseiMatches({ ...aiko, dojo_name: null, city: null, state: null }, 'texas', 'all')).toBe(false)
})

test.each([null, '', '  '])('shows a dojo named %j as not set', (name) => {
  expect(dojoNameAndBranding(name)).toEqual({ name: 'Not Set', branding: 'Default Branding' })
})

test('shows a named dojo with custom branding', () => {
  expect(dojoNameAndBranding('The Way')).toEqual({ name: 'The Way', branding: 'Custom Branding' })
})

const sensei = (full_name: string, more: Partial<Sensei>): Sensei => ({
  sensei_id: full_name,
  full_name,
  dojo_name: null,
  contact_number: null,
  email: `${full_name}@dojo.com`,
  city: 'Austin',
  state: 'Texas',
  total_students: 0,
  is_active: true,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
})
/** The newest first, as the server answers. */
const LIST = [
  sensei('Émile', { created_at: '2026-03-01T00:00:00.000Z', dojo_name: 'Zen', total_students: 9 }),
  sensei('bob', { created_at: '2026-02-01T00:00:00.000Z', city: null, state: 'Alaska', is_active: false, total_students: 10 }),
  sensei('Zoe', { created_at: '2026-01-01T00:00:00.000Z', dojo_name: 'aikido Hall', is_active: false, total_students: 9 }),
]

test.each<[SortKey, string[]]>([
  ['name', ['bob', 'Émile', 'Zoe']],
  ['dojo', ['Zoe', 'bob', 'Émile']],
  ['place', ['bob', 'Émile', 'Zoe']],
  ['students', ['bob', 'Émile', 'Zoe']],
  ['status', ['Émile', 'bob', 'Zoe']],
])('a click on %s sorts by it, equal rows newest first, and a second click reverses the order', (by, names) => {
  const once = toggleSorting(NEWEST_FIRST, by)
  expect(sortSensei(LIST, once).map(({ full_name }) => full_name)).toEqual(names)
  const twice = toggleSorting(once, by)
  expect(twice).toEqual({ by, isAscending: !once.isAscending })
})

test('lists the newest first by default', () => {
  expect(sortSensei(LIST.toReversed(), NEWEST_FIRST)).toEqual(LIST)
  expect(sortSensei(LIST, toggleSorting(NEWEST_FIRST, 'created'))).toEqual(LIST.toReversed())
})
