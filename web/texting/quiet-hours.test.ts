import { expect, test } from 'vitest'
import { formatTimeIfNight } from './quiet-hours.ts'

const dateAt = (time: string) => new Date(`2026-01-15T${time}-06:00`)

test('returns the time only between 9 pm and 8 am in the dojo’s time zone', () => {
  const isNight = (time: string) =>
    formatTimeIfNight('America/Chicago', dateAt(`${time}:00`)) !== null
  expect(['07:59', '08:00', '12:00', '20:59', '21:00', '00:30'].map(isNight)).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ])
  expect(formatTimeIfNight('America/Chicago', dateAt('22:40:00'))).toMatch(/10:40/)
  expect(formatTimeIfNight('Pacific/Honolulu', dateAt('22:40:00'))).toBeNull()
})
