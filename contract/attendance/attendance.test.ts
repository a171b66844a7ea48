import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attendanceMark, toClassDate, toClassDay } from './attendance.ts'
import { validationErrors } from '../test/validation-errors.ts'

const id = '01970000-0000-7000-8000-000000000001'
const validMark = {
  student_id: id,
  class_id: id,
  class_date: '2026-01-02T18:00:00.000Z',
  present: true,
}

test('takes the UTC day of a date-time as the day of the class', () => {
  expect(attendanceMark.parse(validMark).class_date).toBe('2026-01-02')
  expect(
    attendanceMark.parse({ ...validMark, class_date: '2026-01-02T18:00:00-06:00' }).class_date,
  ).toBe('2026-01-03')
  expect(attendanceMark.parse({ ...validMark, class_date: '2026-01-02' }).class_date).toBe(
    '2026-01-02',
  )
})

test('a day stays the same after it is sent as a date-time and parsed', () => {
  const days = fc
    .date({
      min: new Date('1900-01-01'),
      max: new Date('2199-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(days, (day) => {
      expect(toClassDay(toClassDate(day))).toBe(day)
      expect(attendanceMark.parse({ ...validMark, class_date: toClassDate(day) }).class_date).toBe(
        day,
      )
    }),
  )
})

test('accepts a date-time only if its UTC day is from 1900 to 2199', () => {
  const twoDigits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'))
  const dateTimeParts = fc.tuple(
    fc.constantFrom('0000', '1899', '2026', '9999', '12026'),
    twoDigits,
    twoDigits,
    twoDigits,
    twoDigits,
    fc.constantFrom('Z', '', '+23:59', '-23:59', '+99:99', '.5Z'),
  )
  fc.assert(
    fc.property(dateTimeParts, ([year, month, day, hour, minute, zone]) => {
      const { success, data } = attendanceMark.safeParse({
        ...validMark,
        class_date: `${year}-${month}-${day}T${hour}:${minute}:00${zone}`,
      })
      if (success) expect(data.class_date).toMatch(/^(19|20|21)\d\d-\d\d-\d\d$/)
    }),
    {
      numRuns: 1000,
      // Converted to UTC, these are in the years 10000 and -1.
      examples: [
        [['9999', '12', '31', '23', '59', '-23:59']],
        [['0000', '01', '01', '00', '00', '+23:59']],
      ],
    },
  )
})

test.each([
  ['student_id', 'ken', 'Student is not valid'],
  ['class_id', undefined, 'Class is not valid'],
  ['class_date', 'today', 'Class date must be an ISO date-time'],
  ['class_date', '9999-12-31T23:59:59-23:59', 'Class date must be a date (YYYY-MM-DD)'],
  ['class_date', '2250-01-01T00:00:00Z', 'Class date must be between 1900 and 2199'],
  ['present', 'yes', 'Present is not valid'],
  ['present', undefined, 'Present is required'],
])('refuses %s %j: %s', (field, value, message) => {
  expect(validationErrors(attendanceMark, { ...validMark, [field]: value })).toEqual({
    [field]: message,
  })
})
