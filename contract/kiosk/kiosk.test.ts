import { expect, test } from 'vitest'
import { isOpenAt, isSearchable, findKioskMinute } from './kiosk.ts'

const MIDNIGHT = 24 * 60
/** From 11:30 PM to 12:15 AM. Minutes count from the start of the day. */
const LATE_CLASS = { id: '', name: 'Late', time: '', starts: MIDNIGHT - 30, ends: MIDNIGHT + 15 }

test.each(['Em', "O'B", '李', 'あ', 'ア', '김'])('accepts %j as a search', (text) => {
  expect(isSearchable(text)).toBe(true)
})

test.each(['', 'E', '1 E', 'Ж', '--'])('requires more letters than %j', (text) => {
  expect(isSearchable(text)).toBe(false)
})

test('opens check-in 30 minutes before a class, and closes it when the class ends', () => {
  const [opens, closes] = [LATE_CLASS.starts - 30, LATE_CLASS.ends]
  const minutes = [opens - 1, opens, MIDNIGHT - 1, closes - 1, closes]
  const openMinutes = minutes.filter((minute) => isOpenAt(LATE_CLASS, minute))
  expect(openMinutes).toEqual([opens, MIDNIGHT - 1, closes - 1])
})

test('counts minutes past midnight until the last class ends', () => {
  const afternoonClass = { ...LATE_CLASS, starts: 16 * 60, ends: 17 * 60 }
  const minuteAt = (day: string, minute: number, classes = [afternoonClass, LATE_CLASS]) =>
    findKioskMinute('2026-03-02', classes, { day, minute })
  expect([minuteAt('2026-03-02', 0), minuteAt('2026-03-02', 1439)]).toEqual([0, 1439])
  expect([minuteAt('2026-03-03', 0), minuteAt('2026-03-03', 14)]).toEqual([1440, 1454])
  expect([minuteAt('2026-03-03', 15), minuteAt('2026-03-03', 0, [afternoonClass])]).toEqual([
    null,
    null,
  ])
  expect([minuteAt('2026-03-01', 1439), minuteAt('2026-03-04', 0)]).toEqual([null, null])
})
