import { expect, test } from 'vitest'
import { beltTestWords } from '../dojos/belt-test.ts'
import { chargeName, methodName } from './charge-words.ts'

test('names what a payment was for', () => {
  const none = { month: null, year: null, note: null }
  const charges = [
    { kind: 'month', month: 2, year: 2026, note: null },
    { kind: 'late_fee', month: 2, year: 2026, note: null },
    { kind: 'grading', ...none, note: 'yellow belt' },
    { kind: 'equipment', ...none },
    { kind: null, ...none },
  ] as const
  expect(charges.map((charge) => chargeName(charge, beltTestWords('promotion')))).toEqual([
    'March 2026',
    'Late fee for March 2026',
    'Promotion fee: yellow belt',
    'Equipment',
    'Credit',
  ])
})

test('says when no method was recorded', () => {
  expect([methodName('cheque'), methodName(null)]).toEqual(['Check', 'Not recorded'])
})
