import { expect, test } from 'vitest'
import { describeLimit, describePrice } from './plan-words.ts'

const month = { unit: 'month', count: 1 } as const

test.each([
  [{ kind: 'open', price: 96, cycle: month }, '$96 a month'],
  [{ kind: 'open', price: 99.5, cycle: month }, '$99.50 a month'],
  [{ kind: 'term', price: 99, cycle: { unit: 'week', count: 6 } }, '$99 every 6 weeks'],
  [{ kind: 'renewing', price: 900, cycle: { unit: 'year', count: 1 } }, '$900 a year'],
  [{ kind: 'pack', price: 120, visits: 10 }, '$120 for 10 classes'],
  [{ kind: 'pack', price: 20, visits: 1 }, '$20 for 1 class'],
  [{ kind: 'drop_in', price: 15 }, '$15 a class'],
] as const)('describes the price of %o', (terms, text) => {
  expect(describePrice(terms)).toBe(text)
})

test.each([
  [{ count: 1, per: 'day' }, 'Once a day'],
  [{ count: 2, per: 'week' }, 'Twice a week'],
  [{ count: 3, per: 'week' }, '3 times a week'],
  [{ count: 8, per: 'cycle' }, '8 classes each billing period'],
] as const)('describes the limit %o', (limit, text) => {
  expect(describeLimit(limit)).toBe(text)
})
