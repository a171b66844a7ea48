import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatDecimal,
  formatMoney,
  formatMoneyInText,
  formatMoneyRoundedUp,
  formatPartOfTotal,
  parseMoney,
  percentOf,
  prorateCents,
  cleanMoneyInput,
  isAmount,
  sanitizeMoneyInput,
  typedAmount,
  splitCents,
  sumDollars,
  toCents,
  toDollars,
} from './money.ts'

test('converts any amount of cents to dollars and back', () => {
  const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
  fc.assert(fc.property(amounts, (cents) => toCents(toDollars(cents)) === cents))
})

test('adds up dollars without losing a cent', () => {
  expect([sumDollars([0.1, 0.2]), sumDollars([85, -85]), sumDollars([])]).toEqual([0.3, 0, 0])
})

test('rounds half a cent up', () => {
  expect([percentOf(3335, 10), percentOf(50, 29), percentOf(4, 10)]).toEqual([334, 15, 0])
})

test('formats negative amounts, thousands and partial payments', () => {
  expect([formatMoney(-1234.5), formatMoneyInText(-1234.5), formatDecimal(-1234.5)]).toEqual([
    '-$1,234.50',
    '-$1,234.50',
    '-1234.50',
  ])
  expect([formatPartOfTotal(50, 95), formatPartOfTotal(49.5, 99.5)]).toEqual([
    '$50 of $95',
    '$49.50 of $99.50',
  ])
})

test('splits an amount evenly, giving the extra cents to the first part', () => {
  expect(splitCents(1000, 3)).toEqual([334, 333, 333])
  expect(splitCents(-1000, 3)).toEqual([-334, -333, -333])
  expect(splitCents(8550, 1)).toEqual([8550])
})

test('splits any amount without losing a cent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 1, max: 12 }),
      (cents, parts) => {
        const shares = splitCents(cents, parts)
        expect(shares).toHaveLength(parts)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cents)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(parts)
      },
    ),
  )
})

test('formats a fee with two decimals, and an unset fee as $0.00', () => {
  expect([formatMoney(120.5), formatMoney(null)]).toEqual(['$120.50', '$0.00'])
})

test('rounds revenue up to a whole dollar, ignoring floating-point errors', () => {
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
])('cleans the money input %j to %j', (input, cleanInput) => {
  expect(sanitizeMoneyInput(input)).toBe(cleanInput)
})

test.each([
  ['$1,200.50', '1200.50'],
  [' 12 ', '12'],
  ['-5', '-5'],
  ['1e5', '1e5'],
])('keeps what is typed into a money field, such as %j as %j', (input, cleanInput) => {
  expect(cleanMoneyInput(input)).toBe(cleanInput)
})

test('a text that is no amount is neither an amount nor nothing', () => {
  for (const text of ['1e5', '1.2.3', 'abc', '-', '0x10', 'Infinity'])
    expect([parseMoney(text), isAmount(text), typedAmount(text)]).toEqual([NaN, false, 0])
  expect([parseMoney('-5'), isAmount('-5')]).toEqual([-5, false])
  expect([isAmount(''), isAmount('12.'), typedAmount('12.5')]).toEqual([true, true, 12.5])
})

test('parses an amount as soon as it has a digit', () => {
  expect([parseMoney(''), parseMoney('.'), parseMoney('12.'), parseMoney('.5')]).toEqual([
    undefined,
    undefined,
    12,
    0.5,
  ])
})

test('prorates by days and rounds half a cent up', () => {
  expect(prorateCents(9600, 15, 31)).toBe(4645)
  expect(prorateCents(101, 15, 30)).toBe(51)
  expect(prorateCents(9600, 0, 31)).toBe(0)
  expect(prorateCents(9600, 31, 31)).toBe(9600)
})
