import { expect, test } from 'vitest'
import { lateFeeOf, NO_LATE_FEES } from './late-fee-rule.ts'

const flatFee = { grace_days: 5, percent: null, amount: 10 }
const percentFee = { grace_days: 0, percent: 10, amount: null }

test('charges from the first day after the grace period', () => {
  expect([4, 5, 6].map((days) => lateFeeOf(flatFee, 80, days))).toEqual([0, 0, 10])
})

test('charges a percentage of the amount owed, rounding half a cent up', () => {
  const fees = [80, 0.05, 0.04, 33.35].map((owedDollars) => lateFeeOf(percentFee, owedDollars, 1))
  expect(fees).toEqual([8, 0.01, 0, 3.34])
})

test('charges nothing without a rule or when nothing is owed', () => {
  expect([lateFeeOf(NO_LATE_FEES, 80, 30), lateFeeOf(flatFee, 0, 30)]).toEqual([0, 0])
})
