import { describe, expect, test } from 'vitest'
import { minutesOfDay, toSpan, splitByDay, wallTime } from './spans.ts'

const CHICAGO = 'America/Chicago'
/** Formats the parts of a span as "day start–end minutes". */
const splitHours = (day: string, startTime: string, endTime: string) =>
  splitByDay(toSpan({ day, from: startTime, until: endTime }, CHICAGO), CHICAGO).map(
    ({ day: partDay, startsAt, endsAt, minutes }) =>
      `${partDay} ${wallTime(startsAt, CHICAGO)}–${wallTime(endsAt, CHICAGO)} ${minutes}`,
  )

describe('a span', () => {
  test('within one day is not split', () => {
    expect(splitHours('2026-11-20', '17:00', '18:30')).toEqual(['2026-11-20 17:00–18:30 90'])
  })

  test('is split at midnight', () => {
    expect(splitHours('2026-11-20', '22:30', '01:00')).toEqual([
      '2026-11-20 22:30–00:00 90',
      '2026-11-21 00:00–01:00 60',
    ])
  })

  test('that ends at midnight is not split', () => {
    expect(splitHours('2026-11-20', '22:00', '00:00')).toEqual(['2026-11-20 22:00–00:00 120'])
  })

  test('is an hour shorter in the night when the clocks go forward', () => {
    expect(splitHours('2026-03-08', '01:00', '04:00')).toEqual(['2026-03-08 01:00–04:00 120'])
    expect(splitHours('2026-03-07', '22:00', '04:00')).toEqual([
      '2026-03-07 22:00–00:00 120',
      '2026-03-08 00:00–04:00 180',
    ])
  })

  test('is an hour longer in the night when the clocks go back', () => {
    expect(splitHours('2026-11-01', '00:30', '03:00')).toEqual(['2026-11-01 00:30–03:00 210'])
    expect(splitHours('2026-10-31', '23:00', '02:30')).toEqual([
      '2026-10-31 23:00–00:00 60',
      '2026-11-01 00:00–02:30 210',
    ])
  })

  test('has no minutes if it is within the skipped hour', () => {
    const { startsAt, endsAt } = toSpan(
      { day: '2026-03-08', from: '02:30', until: '03:30' },
      CHICAGO,
    )
    expect(endsAt.getTime() - startsAt.getTime()).toBe(0)
  })
})

test('a day has 23 hours, 24 hours or 25 hours', () => {
  const days = ['2026-03-08', '2026-06-01', '2026-11-01']
  expect(days.map((day) => minutesOfDay(day, CHICAGO) / 60)).toEqual([23, 24, 25])
})
