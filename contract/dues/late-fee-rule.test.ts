import { expect, test } from 'vitest'
import { lateFeeOf, NO_LATE_FEES } from './late-fee-rule.ts'

const flat = { grace_days: 5, percent: null, amount: 10 },
  percent = { grace_days: 0, percent: 10, amount: null }

test('charges a late fee from the day after the grace days', () => {
  expect([4, 5, 6].map((days) => lateFeeOf(flat, 80, days))).toEqual([0, 0, 10])
})
test('charges a percentage of what is owed, rounding half a cent up', () => {
  expect([80, 0.05, 0.04, 33.35].map((owedDollars) => lateFeeOf(percent, owedDollars, 1))).toEqual([
    8, 0.01, 0, 3.34,
  ])
})
test('charges nothing without a rule, or if nothing is owed', () => {
  expect([lateFeeOf(NO_LATE_FEES, 80, 30), lateFeeOf(flat, 0, 30)]).toEqual([0, 0])
})
