import { expect, test } from 'vitest'
import { formatClock, formatClockRange, formatDuration } from './work-time.ts'

test('formats times as on a clock', () => {
  expect(formatClock('18:30')).toMatch(/6:30\sPM/)
  expect(formatClockRange('00:00', '12:05')).toMatch(/12:00\sAM to 12:05\sPM/)
})

test.each([
  [0, '0 min'],
  [45, '45 min'],
  [120, '2 h'],
  [90, '1 h 30 min'],
  [-30, '−30 min'],
  [-90, '−1 h 30 min'],
])('formats %d minutes as "%s"', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
