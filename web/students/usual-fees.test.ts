import { expect, test } from 'vitest'
import { findUsualFees } from './usual-fees.ts'

const createStudent = (monthly_payment_amount: number | null, changes: object = {}) => ({
  monthly_payment_amount,
  is_trial: false,
  enrolled_classes: ['kids'],
  ...changes,
})

test('lists the most common fee first', () => {
  expect(findUsualFees([createStudent(80), createStudent(95), createStudent(95)], [])).toEqual([
    95, 80,
  ])
})

test('counts only students of the selected classes', () => {
  const teen = createStudent(120, { enrolled_classes: ['teens'] })
  expect(findUsualFees([createStudent(95), teen], ['teens'])).toEqual([120])
  expect(findUsualFees([createStudent(95), teen], ['adults'])).toEqual([])
})

test('leaves out trial students and students without a fee', () => {
  expect(
    findUsualFees(
      [createStudent(60, { is_trial: true }), createStudent(0), createStudent(null)],
      [],
    ),
  ).toEqual([])
})

test('offers at most three fees', () => {
  expect(
    findUsualFees(
      [10, 20, 30, 40].map((fee) => createStudent(fee)),
      [],
    ),
  ).toHaveLength(3)
})
