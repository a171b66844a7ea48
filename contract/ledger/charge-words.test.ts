import { expect, test } from 'vitest'
import { beltTestLabels } from '../dojos/belt-test.ts'
import { chargeName, methodName } from './charge-words.ts'

test('names what a payment was for', () => {
  const noMonth = { month: null, year: null, note: null }
  const charges = [
    { kind: 'month', month: 2, year: 2026, note: null },
    { kind: 'late_fee', month: 2, year: 2026, note: null },
    { kind: 'grading', ...noMonth, note: 'yellow belt' },
    { kind: 'equipment', ...noMonth },
    { kind: null, ...noMonth },
  ] as const
  expect(charges.map((charge) => chargeName(charge, beltTestLabels('promotion')))).toEqual([
    'March 2026',
    'Late fee for March 2026',
    'Promotion fee: yellow belt',
    'Equipment',
    'Credit',
  ])
})

test('names the payment method, or says that none was recorded', () => {
  expect([methodName('cheque'), methodName(null)]).toEqual(['Check', 'Not recorded'])
})
