import { ageOn } from '../lib/calendar-day.ts'
import { expect, test } from 'vitest'
import { isVacationOn, studentNotes, vacation } from './student-page.ts'
import { validationErrors } from '../test/validation-errors.ts'

test.each([
  ['2026-03-01', 11],
  ['2026-02-28', 10],
  ['2015-03-01', 0],
])('on %s, a person born on March 1, 2015 is %i', (day, age) => {
  expect(ageOn(day, '2015-03-01')).toBe(age)
})

test('a vacation includes its first and last day', () => {
  const isOnVacation = (day: string, vacation_until: string | null = '2026-07-14') =>
    isVacationOn(day, { vacation_from: '2026-07-01', vacation_until })
  expect(isOnVacation('2026-06-30')).toBe(false)
  expect(isOnVacation('2026-07-01')).toBe(true)
  expect(isOnVacation('2026-07-14')).toBe(true)
  expect(isOnVacation('2026-07-15')).toBe(false)
  expect(isOnVacation('2030-01-01', null)).toBe(true)
  expect(isVacationOn('2026-07-01', { vacation_from: null, vacation_until: null })).toBe(false)
})

test('a vacation may have no last day, but must not end before it begins', () => {
  const readErrors = (vacation_from: string | null, vacation_until: string | null) =>
    validationErrors(vacation, { vacation_from, vacation_until })
  expect(readErrors('2026-07-01', null)).toEqual({})
  expect(readErrors(null, null)).toEqual({})
  expect(readErrors(null, '2026-07-01')).toEqual({
    vacation_from: 'Please choose the first day of the vacation.',
  })
  expect(readErrors('2026-07-02', '2026-07-01')).toEqual({
    vacation_until: 'The vacation must not end before it starts.',
  })
})

test('clears an empty note, and leaves an omitted note unchanged', () => {
  expect(studentNotes.parse({ allergies: ' ', medical_note: '' })).toEqual({
    allergies: null,
    medical_note: null,
  })
})
