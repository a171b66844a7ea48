import { expect, test } from 'vitest'
import { isOpenAt, isSearchable } from './kiosk.ts'

test.each(['Em', "O'B", '李', 'あ', 'ア', '김'])('%j is enough to search for', (typed) => {
  expect(isSearchable(typed)).toBe(true)
})

test.each(['', 'E', '1 E', 'Ж', '--'])('%j is not enough to search for', (typed) => {
  expect(isSearchable(typed)).toBe(false)
})

test('a class that ends after midnight is open until the day ends', () => {
  const late = { id: '', name: 'Late', time: '', starts: 1410, ends: 1455 }
  expect([1379, 1380, 1439].map((minute) => isOpenAt(late, minute))).toEqual([false, true, true])
})
