import { expect, test } from 'vitest'
import { findUsualFees } from './usual-fees.ts'

const student = (monthly_payment_amount: number | null, changes: object = {}) => ({
  monthly_payment_amount,
  is_trial: false,
  enrolled_classes: ['kids'],
  ...changes,
})

test('puts the fee of most students first', () => {
  expect(findUsualFees([student(80), student(95), student(95)], [])).toEqual([95, 80])
})

test('counts only students of the selected classes', () => {
  const teen = student(120, { enrolled_classes: ['teens'] })
  expect(findUsualFees([student(95), teen], ['teens'])).toEqual([120])
  expect(findUsualFees([student(95), teen], ['adults'])).toEqual([])
})

test('leaves out trial students and students without a fee', () => {
  expect(findUsualFees([student(60, { is_trial: true }), student(0), student(null)], [])).toEqual(
    [],
  )
})

test('offers at most three fees', () => {
  expect(
    findUsualFees(
      [10, 20, 30, 40].map((fee) => student(fee)),
      [],
    ),
  ).toHaveLength(3)
})
