import { expect, test } from 'vitest'
import { sanitizeMoneyInput, formatMoney, formatMoneyRoundedUp, parseMoney } from './money.ts'

test('fees have two decimals, and an unset fee counts as 0', () => {
  expect([formatMoney(120.5), formatMoney(null)]).toEqual(['$120.50', '$0.00'])
})

test("revenue is rounded up to a whole dollar, but not for a computer's dust", () => {
  expect([
    formatMoneyRoundedUp(100.01),
    formatMoneyRoundedUp(0.1 + 0.2 + 0.7),
    formatMoneyRoundedUp(3 * 33.1 - 0.3),
  ]).toEqual(['$101', '$1', '$99'])
})

test.each([
  ['12.50', '12.50'],
  ['$1,200', '1200'],
  ['1.2.3', '1.23'],
  ['-5', '5'],
  ['.5', '.5'],
  ['abc', ''],
])('of %j a money field keeps %j', (typed, kept) => {
  expect(sanitizeMoneyInput(typed)).toBe(kept)
})

test('an amount is there once a digit is', () => {
  expect([parseMoney(''), parseMoney('.'), parseMoney('12.'), parseMoney('.5')]).toEqual([
    undefined,
    undefined,
    12,
    0.5,
  ])
})
