import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { expect, test } from 'vitest'
import { findCurrentOrNextDate } from './current-or-next-date.ts'

const DAY = '2027-03-15'
const createDate = (class_id: string, start_time: string, end_time: string, status = 'on') =>
  ({ class_id, day: DAY, start_time, end_time, status }) as ClassDate
const earlyDate = createDate('early', '4:00 PM', '5:00 PM')
const canceledDate = createDate('canceled', '5:00 PM', '6:00 PM', 'cancelled')
const lateDate = createDate('late', '6:30 PM', '7:30 PM')

const findDateAt = (hour: number, minute = 0) =>
  findCurrentOrNextDate([earlyDate, canceledDate, lateDate], {
    day: DAY,
    minute: hour * 60 + minute,
  })

test('finds the current or next class', () => {
  expect(findDateAt(9)).toBe(earlyDate)
  expect(findDateAt(16, 59)).toBe(earlyDate)
  expect(findDateAt(19, 29)).toBe(lateDate)
})

test('finds the last class after all classes are over', () => {
  expect(findDateAt(23)).toBe(lateDate)
})

test('skips canceled classes', () => {
  expect(findDateAt(17)).toBe(lateDate)
  expect(findCurrentOrNextDate([canceledDate], { day: DAY, minute: 0 })).toBeUndefined()
})
