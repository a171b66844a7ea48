import type { OwingFamily } from '@tatami/contract/dues/owing'
import { expect, test } from 'vitest'
import { ageOfDebt, sumByAge } from './owing-ages.ts'

const TODAY = '2026-11-26'
const createFamily = (firstDay: string, total: number): OwingFamily => ({
  payer: null,
  students: [],
  total,
  since: firstDay,
  promise: null,
})

test('a debt gets older after 30, 60 and 90 days', () => {
  const ages = ['2026-11-26', '2026-10-27', '2026-10-26', '2026-09-27', '2026-09-26'].map(
    (firstDay) => ageOfDebt({ since: firstDay }, TODAY),
  )
  expect(ages).toEqual(['30', '30', '60', '60', '90'])
  expect(ageOfDebt({ since: '2026-08-28' }, TODAY)).toBe('90')
  expect(ageOfDebt({ since: '2026-08-27' }, TODAY)).toBe('older')
  expect(ageOfDebt({ since: '2026-11-30' }, TODAY)).toBe('30')
})

test('adds up what families owe by the age of their oldest debt', () => {
  const families = [
    createFamily('2026-11-01', 85.1),
    createFamily('2026-11-01', 10.2),
    createFamily('2025-01-01', 300),
  ]
  expect(sumByAge(families, TODAY).map(({ count, total }) => [count, total])).toEqual([
    [2, 95.3],
    [0, 0],
    [0, 0],
    [1, 300],
  ])
})
