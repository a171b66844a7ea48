import { expect, test } from 'vitest'
import { validationErrors } from '../test/validation-errors.ts'
import { leavingWithLatestDay } from './leaving.ts'
import { studentMatches, STUDENT_FILTERS } from './student-search.ts'

const form = { left_on: '2026-11-03', reason: 'cost' }
const errorsWith = (changes: object) =>
  validationErrors(leavingWithLatestDay('2026-11-04'), { ...form, ...changes })

test('requires a reason and a last day that is not in the future', () => {
  expect(errorsWith({})).toEqual({})
  expect(errorsWith({ left_on: '2026-11-05', reason: '' })).toEqual({
    left_on: 'The last day must not be after today',
    reason: 'Reason is required',
  })
  expect(errorsWith({ note: 'x'.repeat(201) })).toEqual({
    note: 'Note must be at most 200 characters',
  })
})

test('lists a former student only under Former', () => {
  const ken = { name: 'Ken Adams', email: null, is_trial: true, on_vacation: true }
  const filtersShowing = (left_on: string | null) =>
    STUDENT_FILTERS.filter((filter) => studentMatches({ ...ken, left_on }, 'ken', filter))
  expect(filtersShowing('2026-11-03')).toEqual(['former'])
  expect(filtersShowing(null)).toEqual(['all', 'trial', 'vacation'])
})
