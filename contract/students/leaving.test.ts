import { expect, test } from 'vitest'
import { validationErrors } from '../test/validation-errors.ts'
import { leavingNotAfter } from './leaving.ts'
import { studentMatches, STUDENT_FILTERS } from './student-search.ts'

const form = { left_on: '2026-11-03', reason: 'cost' }
const errorsOf = (changes: object) =>
  validationErrors(leavingNotAfter('2026-11-04'), { ...form, ...changes })

test('needs a day that is not in the future and a reason', () => {
  expect(errorsOf({})).toEqual({})
  expect(errorsOf({ left_on: '2026-11-05', reason: '' })).toEqual({
    left_on: 'The last day must not be after today',
    reason: 'Reason is required',
  })
  expect(errorsOf({ note: 'x'.repeat(201) })).toEqual({
    note: 'Note must be at most 200 characters',
  })
})

test('shows a former student under Former only', () => {
  const ken = { name: 'Ken Adams', email: null, is_trial: true, on_vacation: true }
  const filtersOf = (left_on: string | null) =>
    STUDENT_FILTERS.filter((filter) => studentMatches({ ...ken, left_on }, 'ken', filter))
  expect(filtersOf('2026-11-03')).toEqual(['former'])
  expect(filtersOf(null)).toEqual(['all', 'trial', 'vacation'])
})
