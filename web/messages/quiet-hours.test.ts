import { expect, test } from 'vitest'
import { nightTime } from '../texting/quiet-hours.ts'

const dateAt = (time: string) => new Date(`2026-01-15T${time}-06:00`)

test('night is from 9 pm to 8 am in the time zone of the dojo', () => {
  const isNight = (time: string) => nightTime('America/Chicago', dateAt(`${time}:00`)) !== null
  expect(['07:59', '08:00', '12:00', '20:59', '21:00', '00:30'].map(isNight)).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ])
  expect(nightTime('America/Chicago', dateAt('22:40:00'))).toMatch(/10:40/)
  expect(nightTime('Pacific/Honolulu', dateAt('22:40:00'))).toBeNull()
})
