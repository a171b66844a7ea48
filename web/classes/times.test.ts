import { expect, test } from 'vitest'
import { fromTimeInput, endAfterMove, toTimeInput } from './times.ts'

test('converts times to the format of a time field and back, or to an empty string', () => {
  for (const [time, fieldValue] of [
    ['12:00 AM', '00:00'],
    ['6:05 AM', '06:05'],
    ['12:30 PM', '12:30'],
    ['5:30 PM', '17:30'],
  ] as const) {
    expect(toTimeInput(time)).toBe(fieldValue)
    expect(fromTimeInput(fieldValue)).toBe(time)
  }
  expect(toTimeInput('Saturday afternoon')).toBe('')
  expect(toTimeInput(null)).toBe('')
  expect(fromTimeInput('')).toBe('')
})

test('moves the end with the start, unless there was no start or it would pass midnight', () => {
  expect(endAfterMove('16:00', '17:30', '18:15')).toBe('19:45')
  expect(endAfterMove('16:00', '17:30', '23:00')).toBe('17:30')
  expect(endAfterMove('', '17:30', '18:00')).toBe('17:30')
})
