import { WEEKDAYS } from '../lib/calendar-day.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  classesOn,
  classForm,
  classMatches,
  daysText,
  END_TIMES,
  findNonLetters,
  lettersOnly,
  START_TIMES,
  timeRange,
  type DojoClass,
} from './classes.ts'
import { validationErrors } from '../test/validation-errors.ts'

const validForm = {
  class_name: 'Little Dragons',
  description: 'Ages 5 to 8',
  class_days: ['monday'],
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
}
const errorsWith = (changes: Record<string, unknown>) =>
  validationErrors(classForm, { ...validForm, ...changes })
/** Fields of older classes, which a new class leaves empty. */
const EMPTY_OLD_FIELDS = {
  class_day: null,
  location: null,
  class_time: null,
  time: null,
  day: null,
  days: null,
  start_time: null,
  end_time: null,
}
const dojoClass: DojoClass = {
  ...validForm,
  ...EMPTY_OLD_FIELDS,
  id: '1',
  _id: '1',
  name: validForm.class_name,
  class_days: ['monday', 'friday'],
  created_at: '2026-01-02T00:00:00.000Z',
  places: null,
}

test('requires every field', () => {
  expect(validationErrors(classForm, {})).toEqual({
    class_name: 'Class name is required',
    description: 'Description is required',
    class_days: 'Select at least one day for the class',
    class_start_time: 'Start time is required',
    class_end_time: 'End time is required',
  })
  expect(errorsWith({ class_days: [] })).toEqual({
    class_days: 'Select at least one day for the class',
  })
})

test('offers hourly starts from 6:00 AM to 9:00 PM and ends from 7:00 AM to 10:00 PM', () => {
  const hours = [
    '6:00 AM',
    '7:00 AM',
    '8:00 AM',
    '9:00 AM',
    '10:00 AM',
    '11:00 AM',
    '12:00 PM',
    '1:00 PM',
    '2:00 PM',
    '3:00 PM',
    '4:00 PM',
    '5:00 PM',
    '6:00 PM',
    '7:00 PM',
    '8:00 PM',
    '9:00 PM',
    '10:00 PM',
  ]
  expect(START_TIMES).toEqual(hours.slice(0, -1))
  expect(END_TIMES).toEqual(hours.slice(1))
  expect(errorsWith({ class_start_time: '9:00 PM', class_end_time: '7:00 AM' })).toEqual({})
})

test('accepts times in steps of five minutes', () => {
  const errorsForTime = (time: string) =>
    errorsWith({ class_start_time: time, class_end_time: time })
  const otherValidTimes = ['5:30 PM', '5:05 AM', '11:55 PM', '12:00 AM']
  for (const time of [...START_TIMES, ...END_TIMES, ...otherValidTimes])
    expect([time, errorsForTime(time)]).toEqual([time, {}])
  const invalidTimes = [
    ...['5:03 PM', '13:00 PM', '25:00', '17:30', '0:30 AM', '5:60 PM', '5:30', '5:30PM'],
    ...['5:30 pm', '05:30 PM', '5:30  PM', '5:30 PM - 6:30 PM', 'noon'],
  ]
  const message = 'Use five-minute steps, such as 5:30 PM'
  for (const time of invalidTimes)
    expect([time, errorsForTime(time)]).toEqual([
      time,
      { class_start_time: message, class_end_time: message },
    ])
})

test('lists the characters that are removed from a class name', () => {
  expect(findNonLetters('Kids & Teens 2! 2')).toEqual(['&', '2', '!'])
  expect(findNonLetters('Kids\u202E\u200B 🥋')).toEqual(['an invisible character', '🥋'])
  expect(findNonLetters('Kids Judo')).toEqual([])
})

test('sorts weekdays and removes duplicates', () => {
  expect(WEEKDAYS).toEqual([
    'monday',
    'tuesday',
    'wednesday',
    'thursday',
    'friday',
    'saturday',
    'sunday',
  ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), (days) => {
      expect(classForm.parse({ ...validForm, class_days: days }).class_days).toEqual(
        WEEKDAYS.filter((day) => days.includes(day)),
      )
    }),
  )
  expect(errorsWith({ class_days: ['Monday'] })).toEqual({ 'class_days.0': 'Day is not valid' })
})

describe('the class name', () => {
  test('keeps only the letters and white space of the typed text', () => {
    expect(lettersOnly('Kids & Teens 2!')).toBe('Kids  Teens ')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const letters = lettersOnly(text)
        expect(letters).toMatch(/^[\p{L}\p{M}\s]*$/u)
        expect(lettersOnly(letters)).toBe(letters)
        if (/^[\p{L}\s]*$/u.test(text)) expect(letters).toBe(text)
      }),
    )
  })

  test('refuses characters that the form removes while typing', () => {
    expect(errorsWith({ class_name: 'Kids 2' })).toEqual({
      class_name: 'Only alphabetical characters allowed',
    })
    expect(errorsWith({ class_name: '子供 Enfants' })).toEqual({})
  })
})

describe('the time and days of a class', () => {
  test.each([
    [
      { class_start_time: '4:00 PM', class_end_time: '5:00 PM', class_time: '18:00' },
      '4:00 PM - 5:00 PM',
    ],
    [{ class_time: '18:00' }, '18:00'],
    [{}, 'Time not specified'],
  ])('shows the time of %j as %s', (fields, text) => {
    expect(timeRange(fields)).toBe(text)
  })

  test.each([
    [{ class_days: ['monday', 'friday'] }, 'Monday, Friday'],
    [{ class_day: 'every_second saturday' }, 'Every Second Saturday'],
    [{ class_days: [], location: 'cedar_park' }, 'Cedar Park'],
    [{}, 'Days not specified'],
  ] as [Partial<DojoClass>, string][])('shows the days of %j as %s', (fields, text) => {
    expect(daysText(fields)).toBe(text)
  })
})

test('searches name, description, days and location, ignoring case and accents', () => {
  for (const text of [
    '',
    'DRAGONS',
    'dra\u00ADgons',
    'drágons',
    'ages 5',
    'friday',
    ' monday, fri ',
  ])
    expect(classMatches(dojoClass, text)).toBe(true)
  expect(classMatches(dojoClass, 'sunday')).toBe(false)
  expect(classMatches({ ...dojoClass, class_days: [], location: 'Cedar Park' }, 'cedar')).toBe(true)
})

test('sorts the classes of a weekday by start time, with untimed classes last', () => {
  const createClass = (class_name: string, changes: Partial<DojoClass>) => ({
    ...dojoClass,
    class_name,
    ...changes,
  })
  const classes = [
    createClass('Old', { class_days: [], class_day: 'Every Saturday', class_start_time: null }),
    createClass('Noon', { class_days: ['saturday'], class_start_time: '12:00 PM' }),
    createClass('Other', { class_days: ['sunday'] }),
    createClass('Half past', { class_days: ['saturday'], class_start_time: '12:30 PM' }),
    createClass('Early', { class_days: ['monday', 'saturday'], class_start_time: '6:00 AM' }),
    createClass('Earlier', { class_days: ['saturday'], class_start_time: '5:55 AM' }),
  ]
  expect(classesOn('saturday', classes).map(({ class_name }) => class_name)).toEqual([
    'Earlier',
    'Early',
    'Noon',
    'Half past',
    'Old',
  ])
})
