import { expect, test } from 'vitest'
import { fromField, shiftedEnd, toField } from './times.ts'

test('turns times into those of a field and back', () => {
  for (const [time, field] of [
    ['12:00 AM', '00:00'],
    ['6:05 AM', '06:05'],
    ['12:30 PM', '12:30'],
    ['5:30 PM', '17:30'],
  ] as const) {
    expect(toField(time)).toBe(field)
    expect(fromField(field)).toBe(time)
  }
  expect(toField('Saturday afternoon')).toBe('')
  expect(toField(null)).toBe('')
  expect(fromField('')).toBe('')
})

test('moves the end with the start, but not past midnight', () => {
  expect(shiftedEnd('16:00', '17:30', '18:15')).toBe('19:45')
  expect(shiftedEnd('16:00', '17:30', '23:00')).toBe('17:30')
  expect(shiftedEnd('', '17:30', '18:00')).toBe('17:30')
})
