import { expect, test } from 'vitest'
import { fromTimeInput, moveEndWithStart, toTimeInput } from './times.ts'

test('converts times for a time field and back', () => {
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

test('keeps the length of a class when its start moves, unless it would end after midnight', () => {
  expect(moveEndWithStart('16:00', '17:30', '18:15')).toBe('19:45')
  expect(moveEndWithStart('16:00', '17:30', '23:00')).toBe('17:30')
  expect(moveEndWithStart('', '17:30', '18:00')).toBe('17:30')
})
