import { monthKey } from '@tatami/contract/lib/calendar-day'
import { expect, test, vi } from 'vitest'
import { setClock } from '../test/clock.ts'
import { hourIn, monthIn, todayIn } from './calendar.ts'

test('follows the time zone across midnight, the date line and daylight saving', () => {
  const localTime = (iso: string, timeZone: string) => {
    setClock(iso)
    return `${todayIn(timeZone)} ${hourIn(timeZone)}`
  }
  expect(localTime('2027-03-01T05:59:00Z', 'America/Chicago')).toBe('2027-02-28 23')
  expect(localTime('2027-03-01T06:00:00Z', 'America/Chicago')).toBe('2027-03-01 0')
  expect(localTime('2027-03-14T08:00:00Z', 'America/Chicago')).toBe('2027-03-14 3')
  expect(localTime('2027-12-31T10:00:00Z', 'Pacific/Kiritimati')).toBe('2028-01-01 0')
  expect(localTime('2027-12-31T18:29:00Z', 'Asia/Kolkata')).toBe('2027-12-31 23')
  expect(monthIn('Pacific/Kiritimati', new Date('2027-12-31T10:00:00Z'))).toEqual({
    month: 0,
    year: 2028,
  })
})

test('creates at most one formatter per time zone', () => {
  const formatterSpy = vi.spyOn(Intl, 'DateTimeFormat')
  for (let round = 0; round < 100; round += 1) {
    for (const zone of ['Europe/Oslo', 'Asia/Tokyo'])
      expect(monthKey(monthIn(zone))).toBe(todayIn(zone).slice(0, 7))
    expect(hourIn('Asia/Tokyo')).toBeLessThan(24)
  }
  // Another test file may have created one already.
  expect(formatterSpy.mock.calls.length).toBeLessThanOrEqual(2)
  formatterSpy.mockRestore()
})
