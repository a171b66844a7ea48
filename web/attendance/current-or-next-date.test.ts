import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { expect, test } from 'vitest'
import { currentOrNextDate } from './current-or-next-date.ts'

test('finds the current or next class, or else the last, and skips canceled ones', () => {
  const day = '2027-03-15'
  const date = (class_id: string, start_time: string, end_time: string, status = 'on') =>
    ({ class_id, day, start_time, end_time, status }) as ClassDate
  const dates = [
    date('early', '4:00 PM', '5:00 PM'),
    date('canceled', '5:00 PM', '6:00 PM', 'cancelled'),
    date('late', '6:30 PM', '7:30 PM'),
  ]
  const dateAt = (hour: number, minute = 0) =>
    currentOrNextDate(dates, { day, minute: hour * 60 + minute })?.class_id
  expect([dateAt(9), dateAt(16, 59), dateAt(17), dateAt(19, 29), dateAt(23)]).toEqual([
    'early',
    'early',
    'late',
    'late',
    'late',
  ])
  expect(currentOrNextDate(dates.slice(1, 2), { day, minute: 0 })).toBeUndefined()
})
