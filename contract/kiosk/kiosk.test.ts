import { expect, test } from 'vitest'
import { isOpenAt, isSearchable, kioskMinute } from './kiosk.ts'

test.each(['Em', "O'B", '李', 'あ', 'ア', '김'])('finds students by %j', (text) => {
  expect(isSearchable(text)).toBe(true)
})

test.each(['', 'E', '1 E', 'Ж', '--'])('asks for more letters than %j', (text) => {
  expect(isSearchable(text)).toBe(false)
})

test('keeps a class open for check-in after midnight until it ends', () => {
  const late = { id: '', name: 'Late', time: '', starts: 1410, ends: 1455 }
  expect([1379, 1380, 1439, 1454, 1455].map((minute) => isOpenAt(late, minute))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('counts the minutes of a day past midnight while a class goes on', () => {
  const late = { id: '', name: 'Late', time: '', starts: 1410, ends: 1455 }
  const early = { ...late, starts: 960, ends: 1020 }
  const minuteAt = (day: string, minute: number, classes = [early, late]) =>
    kioskMinute('2026-03-02', classes, { day, minute })
  expect([minuteAt('2026-03-02', 0), minuteAt('2026-03-02', 1439)]).toEqual([0, 1439])
  expect([minuteAt('2026-03-03', 0), minuteAt('2026-03-03', 14)]).toEqual([1440, 1454])
  expect([minuteAt('2026-03-03', 15), minuteAt('2026-03-03', 0, [early])]).toEqual([null, null])
  expect([minuteAt('2026-03-01', 1439), minuteAt('2026-03-04', 0)]).toEqual([null, null])
})
