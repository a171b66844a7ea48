import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { expect, test } from 'vitest'
import { findCurrentOrNextDate } from './current-or-next-date.ts'

test('finds the current or next class, or else the last class, and skips canceled ones', () => {
  const day = '2027-03-15'
  const createDate = (class_id: string, start_time: string, end_time: string, status = 'on') =>
    ({ class_id, day, start_time, end_time, status }) as ClassDate
  const dates = [
    createDate('early', '4:00 PM', '5:00 PM'),
    createDate('canceled', '5:00 PM', '6:00 PM', 'cancelled'),
    createDate('late', '6:30 PM', '7:30 PM'),
  ]
  const findIdAt = (hour: number, minute = 0) =>
    findCurrentOrNextDate(dates, { day, minute: hour * 60 + minute })?.class_id
  expect([findIdAt(9), findIdAt(16, 59), findIdAt(17), findIdAt(19, 29), findIdAt(23)]).toEqual([
    'early',
    'early',
    'late',
    'late',
    'late',
  ])
  expect(findCurrentOrNextDate(dates.slice(1, 2), { day, minute: 0 })).toBeUndefined()
})
