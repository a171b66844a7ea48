import type { Sensei } from '@tatami/contract/sensei'
import { expect, test } from 'vitest'
import { senseiMatches } from './sensei-matches.ts'

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

test.each(['', '  ', 'tanaka', 'THE WAY', 'aiko@', 'austin', 'tex'])('%j finds them', (typed) => {
  expect(senseiMatches(aiko, typed, 'all')).toBe(true)
})

test('other words do not', () => {
  expect(senseiMatches(aiko, 'ken', 'all')).toBe(false)
})

test('neither does the other status', () => {
  expect([senseiMatches(aiko, '', 'active'), senseiMatches(aiko, '', 'inactive')]).toEqual([true, false])
  expect([
    senseiMatches({ ...aiko, is_active: false }, '', 'active'),
    senseiMatches({ ...aiko, is_active: false }, '', 'inactive'),
  ]).toEqual([false, true])
})

test('an imported dojo may have no name and no place', () => {
  expect(senseiMatches({ ...aiko, dojo_name: null, city: null, state: null }, 'texas', 'all')).toBe(false)
})
