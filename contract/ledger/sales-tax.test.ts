import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSalesTax, type SalesTax, salesTaxes, taxInTotal, withAddedTax } from './sales-tax.ts'
import { formatPercent } from './tax-words.ts'

const TAX: SalesTax = {
  kind: 'month',
  percent: 8.25,
  is_added: true,
  starts_on: '2026-01-01',
  ends_on: '2026-06-30',
}
const refusalOf = (...taxes: object[]) => salesTaxes.safeParse({ taxes }).error?.issues[0]?.message

test('adds the tax to a price, half a cent up, unless the price includes it', () => {
  expect(withAddedTax(7515, TAX)).toBe(8135)
  expect(withAddedTax(200, { ...TAX, percent: 0.25 })).toBe(201)
  expect(withAddedTax(199, { ...TAX, percent: 0.25 })).toBe(199)
  expect(withAddedTax(10_000, { ...TAX, percent: 8.875 })).toBe(10_888)
  expect(withAddedTax(7515, { ...TAX, is_added: false })).toBe(7515)
  expect(withAddedTax(7515, undefined)).toBe(7515)
  expect(withAddedTax(0, TAX)).toBe(0)
})

test('finds the tax in a total', () => {
  expect(taxInTotal(8135, 8.25)).toBe(620)
  expect(taxInTotal(10_000, 25)).toBe(2000)
  expect(taxInTotal(0, 8.25)).toBe(0)
})

test('finds exactly the tax that was added', () => {
  const percents = fc.integer({ min: 1, max: 30_000 }).map((thousandths) => thousandths / 1000)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), percents, (cents, percent) => {
      const total = withAddedTax(cents, { ...TAX, percent })
      expect(total - taxInTotal(total, percent)).toBe(cents)
    }),
  )
})

test('taxes only the kind of charge and the days of the tax', () => {
  expect(findSalesTax([TAX], 'month', '2026-01-01')).toBe(TAX)
  expect(findSalesTax([TAX], 'month', '2026-06-30')).toBe(TAX)
  expect(findSalesTax([TAX], 'month', '2025-12-31')).toBeUndefined()
  expect(findSalesTax([TAX], 'month', '2026-07-01')).toBeUndefined()
  expect(findSalesTax([TAX], 'equipment', '2026-03-01')).toBeUndefined()
  expect(findSalesTax([{ ...TAX, ends_on: null }], 'month', '2199-01-01')).toBeDefined()
})

test('accepts three decimals and consecutive taxes of one kind', () => {
  const nextTax = { ...TAX, percent: 8.875, starts_on: '2026-07-01', ends_on: null }
  expect(refusalOf(TAX, nextTax, { ...TAX, kind: 'equipment' })).toBeUndefined()
})

test('refuses percentages, days and overlaps that make no sense', () => {
  const invalidPercent = 'Sales tax must be more than 0 and at most 30%'
  expect(refusalOf({ ...TAX, percent: 0 })).toBe(invalidPercent)
  expect(refusalOf({ ...TAX, percent: 30.5 })).toBe(invalidPercent)
  expect(refusalOf({ ...TAX, percent: 8.1234 })).toBe(
    'Sales tax must have at most 3 decimal places',
  )
  expect(refusalOf({ ...TAX, ends_on: '2025-12-31' })).toBe(
    'The last day must not be before the first',
  )
  const overlap = 'Two taxes for the same kind of charge must not overlap'
  expect(refusalOf(TAX, { ...TAX, starts_on: '2026-06-30', ends_on: null })).toBe(overlap)
  expect(refusalOf({ ...TAX, starts_on: '2026-03-01', ends_on: '2026-03-02' }, TAX)).toBe(overlap)
})

test('writes percentages without needless zeros', () => {
  expect([8.25, 8.875, 6].map(formatPercent)).toEqual(['8.25%', '8.875%', '6%'])
})
