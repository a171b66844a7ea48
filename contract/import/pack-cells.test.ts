import { expect, test } from 'vitest'
import { readPackCell } from './pack-cells.ts'

test.each([
  ['10 classes, 4 left, until 5/1/2027', '10 classes', 4, '2027-05-01'],
  ['Ten classes (3 remaining)', 'Ten classes', 3, null],
  ['10 classes - 4 classes left - expires on May 1, 2027', '10 classes', 4, '2027-05-01'],
  ['Punch card, valid through 2027-01-31', 'Punch card', null, '2027-01-31'],
  ['Gold', 'Gold', null, null],
  ['Twice a week', 'Twice a week', null, null],
  ['4 left', '4 left', 4, null],
])('reads %s', (text, name, visitsLeft, expiresOn) => {
  expect(readPackCell(text, 'month-first', '2026-11-27')).toEqual({ name, visitsLeft, expiresOn })
})
