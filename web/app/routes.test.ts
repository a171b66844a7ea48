import { expect, test } from 'vitest'
import type { Role } from '@tatami/contract/lib/endpoint'
import { parentOf, screenAt, sectionOf, sectionTabsFor } from './routes.tsx'
import { mustExist } from '@tatami/contract/lib/must-exist'

const screen = (path: string) => mustExist(screenAt(path), `The screen of ${path}`)
const parentPage = (path: string, role: Role) => parentOf(screen(path), role)?.page

test.each(['guardian', 'student'] as const)('a %s sees no tabs of an instructor', (role) => {
  expect(sectionTabsFor('dashboard', role).map(({ sectionTab }) => sectionTab)).toEqual(['Today'])
  expect(sectionTabsFor('messageCenter', role).map(({ sectionTab }) => sectionTab)).toEqual([
    'Sent',
  ])
})

test('an instructor has the tabs of each section', () => {
  expect(sectionTabsFor('students', 'instructor').map(({ sectionTab }) => sectionTab)).toEqual([
    'Students',
    'Belts',
    'Families',
    'Attendance',
  ])
})

test('the receipts of a guardian are below their dashboard', () => {
  expect([parentPage('/receipts', 'guardian'), parentPage('/receipts', 'instructor')]).toEqual([
    'dashboard',
    undefined,
  ])
  expect(sectionOf(screen('/receipts'), 'guardian')).toBe('dashboard')
  expect(sectionOf(screen('/receipts'), 'instructor')).toBe('paymentCenter')
})

test('a screen with an entry in the navigation has no parent', () => {
  expect([parentPage('/attendance', 'guardian'), parentPage('/attendance', 'student')]).toEqual([
    undefined,
    'dashboard',
  ])
  expect(sectionOf(screen('/attendance'), 'guardian')).toBe('attendance')
})
