import { expect, test } from 'vitest'
import { findCompletion } from './completion.ts'

const REQUIREMENTS = {
  min_months: null,
  min_classes: null,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: false,
  needs_fee: false,
  age_counts: 'birthday' as const,
  required_skills: [],
}
const PROGRESS = {
  since: '2026-01-01',
  wasPromoted: true,
  classes: 10,
  stripes: 0,
  excludedVacations: [],
  date_of_birth: '2015-06-01',
  checked_skills: ['kata'],
  is_approved: false,
  has_paid: false,
}
const computeCompletion = (requirements: object, progress: object = {}) =>
  findCompletion({ ...REQUIREMENTS, ...requirements }, { ...PROGRESS, ...progress }, '2026-04-01')

test('gives each requirement the same weight', () => {
  expect(computeCompletion({ min_classes: 40 })).toBe(0.25)
  expect(computeCompletion({ min_classes: 40, needs_approval: true })).toBe(0.125)
  expect(computeCompletion({ required_skills: ['kata', 'falls'] })).toBe(0.5)
  expect(computeCompletion({ min_classes: 20, required_skills: ['kata'] })).toBe(0.75)
  expect(computeCompletion({ min_months: 6 })).toBeCloseTo(90 / 181)
  expect(computeCompletion({ min_age: 8, min_classes: 20 })).toBe(0.75)
})

test('returns 1 only if all requirements are met', () => {
  expect(computeCompletion({ min_classes: 10 })).toBe(1)
  expect(computeCompletion({ min_classes: 10_000 }, { classes: 9999 })).toBe(0.99)
})

test('ignores the fee, and returns null without other requirements', () => {
  expect(computeCompletion({ min_classes: 10, needs_fee: true })).toBe(1)
  expect(computeCompletion({ needs_fee: true })).toBeNull()
  expect(computeCompletion({})).toBeNull()
})
