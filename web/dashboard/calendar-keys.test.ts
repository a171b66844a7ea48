import { expect, test } from 'vitest'
import { addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import { DATE_MOVE_BY_KEY } from './calendar-keys.ts'

test.each([
  ['ArrowLeft', '2026-03-01', '2026-02-28'],
  ['ArrowRight', '2027-12-31', '2028-01-01'],
  ['ArrowUp', '2026-03-03', '2026-02-24'],
  ['ArrowDown', '2028-02-25', '2028-03-03'],
  ['Home', '2026-11-21', '2026-11-15'],
  ['End', '2026-11-15', '2026-11-21'],
  ['PageUp', '2026-03-31', '2026-02-28'],
  ['PageDown', '2026-12-15', '2027-01-15'],
])('the key %s moves from %s to %s', (key, start, end) => {
  expect(DATE_MOVE_BY_KEY[key]?.(start)).toBe(end)
})

test('adding a month to the 31st leads to the last day of a shorter month', () => {
  expect(addMonthsToDay('2027-01-31', 1)).toBe('2027-02-28')
  expect(addMonthsToDay('2028-01-31', 1)).toBe('2028-02-29')
})
