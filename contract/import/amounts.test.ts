import { expect, test } from 'vitest'
import { findDecimalMark, parseAmount, readAmountText } from './amounts.ts'

test.each([
  ['$129.00', 129],
  ['129', 129],
  ['1.290,00', 1290],
  ['1,290.00', 1290],
  ['1,290', 1290],
  ['1.290.000', 1_290_000],
  ['11.875', 11.88],
  ['31.66667', 31.67],
  ['1,290.125', 1290.13],
  ['39,50 €', 39.5],
  ['140/mo', 140],
  ['$85.5 monthly', 85.5],
  ['free', 0],
  ['-5', -5],
  ['12,34,56', NaN],
  ['ask Ann', NaN],
])('reads the fee %j as %j', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

test.each([
  [['11.875', '95.00'], '.'],
  [['11.875', '31.667'], '.'],
  [['1.290', '95.5', '45,50'], '.'],
  [['1.290'], '.'],
  [['1.290', '1,500'], '.'],
  [['1.290', '1.290,00'], ','],
  [['1.290', '45,50 €'], ','],
  [['1.290', '1.290.000'], ','],
  [['11.8755', '1.290.000'], '.'],
])('finds that the amounts %j use the decimal mark %j', (cells, mark) => {
  expect(findDecimalMark(cells)).toBe(mark)
})

test('reads three digits after a dot as thousands only in a column with decimal commas', () => {
  expect(parseAmount('1.290', ',')).toBe(1290)
  expect(parseAmount('1.290', '.')).toBe(1.29)
  expect(parseAmount('11,875', ',')).toBe(11.88)
})

test('marks an amount as unclear if it can be read in two ways', () => {
  expect(readAmountText('1.290')).toEqual({ amount: 1.29, isUnclear: true })
  expect(readAmountText('11.875')).toEqual({ amount: 11.88, isUnclear: true })
  expect(readAmountText('95.0000').isUnclear).toBe(false)
  expect(readAmountText('1.290', ',').isUnclear).toBe(false)
  expect(readAmountText('ask Ann').isUnclear).toBe(false)
})
