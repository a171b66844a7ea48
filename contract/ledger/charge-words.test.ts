import { expect, test } from 'vitest'
import { chargeName, methodName } from './charge-words.ts'

test('names what a payment was for', () => {
  const none = { month: null, year: null, note: null }
  expect([
    chargeName({ kind: 'month', month: 2, year: 2026, note: null }),
    chargeName({ kind: 'late_fee', month: 2, year: 2026, note: null }),
    chargeName({ kind: 'grading', ...none, note: 'yellow belt' }),
    chargeName({ kind: 'equipment', ...none }),
    chargeName({ kind: null, ...none }),
  ]).toEqual([
    'March 2026',
    'Late fee for March 2026',
    'Grading: yellow belt',
    'Equipment',
    'Credit',
  ])
})

test('says when no method was recorded', () => {
  expect([methodName('cheque'), methodName(null)]).toEqual(['Check', 'Not recorded'])
})
