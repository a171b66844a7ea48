import type { OwingFamily } from '@tatami/contract/dues/owing'
import { sumDollars } from '@tatami/contract/lib/money'
import { expect, test } from 'vitest'
import { ageOfCharge, describePastDue, sumByAge } from './owing-ages.ts'

const TODAY = '2026-11-26'
const createFamily = (...charges: OwingFamily['charges']): OwingFamily => ({
  payer: null,
  students: [],
  total: sumDollars(charges.map(({ owed }) => owed)),
  since: charges[0]?.due_on ?? TODAY,
  charges,
  promise: null,
})

test('groups charges that are up to 30, 60 or 90 days late, or later', () => {
  const ages = ['2026-11-25', '2026-10-27', '2026-10-26', '2026-09-27', '2026-09-26'].map(
    (due_on) => ageOfCharge({ due_on }, TODAY),
  )
  expect(ages).toEqual(['30', '30', '60', '60', '90'])
  expect(ageOfCharge({ due_on: '2026-08-28' }, TODAY)).toBe('90')
  expect(ageOfCharge({ due_on: '2026-08-27' }, TODAY)).toBe('older')
})

test('a charge that is due today or later is not past due', () => {
  expect(ageOfCharge({ due_on: TODAY }, TODAY)).toBe('not-due')
  expect(ageOfCharge({ due_on: '2026-11-30' }, TODAY)).toBe('not-due')
})

test('groups each charge by its own age, not by the age of the family’s oldest debt', () => {
  const families = [
    createFamily({ due_on: '2026-11-01', owed: 85.1 }, { due_on: TODAY, owed: 40 }),
    createFamily({ due_on: '2025-01-01', owed: 300 }, { due_on: '2026-11-01', owed: 10.2 }),
  ]
  expect(sumByAge(families, TODAY).map(({ key, count, total }) => [key, count, total])).toEqual([
    ['30', 2, 95.3],
    ['60', 0, 0],
    ['90', 0, 0],
    ['older', 1, 300],
    ['not-due', 1, 40],
  ])
})

test('leaves charges that are due today out of the total past due', () => {
  const pastDue = createFamily({ due_on: '2026-11-01', owed: 85 }, { due_on: TODAY, owed: 10 })
  const dueToday = createFamily({ due_on: TODAY, owed: 40 })
  expect(describePastDue([pastDue, dueToday], TODAY)).toBe('1 family, $85.00')
  expect(describePastDue([dueToday], TODAY)).toBe('Nothing past due yet')
})
