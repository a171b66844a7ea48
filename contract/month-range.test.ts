import { expect, test } from 'vitest'
import { addMonths, firstDaysBetween, monthsBetween } from './month-range.ts'

test('counts months over the end of a year, both included', () => {
  expect([
    monthsBetween('2026-01', '2026-12'),
    monthsBetween('2025-11', '2026-02'),
    monthsBetween('2026-03', '2026-03'),
  ]).toEqual([12, 4, 1])
  expect(firstDaysBetween('2025-11', '2026-02')).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ])
})

test('adds and subtracts months', () => {
  expect([
    addMonths('2026-01', -1),
    addMonths('2026-12', 1),
    addMonths('2026-05', -17),
    addMonths('2026-05', 0),
  ]).toEqual(['2025-12', '2027-01', '2024-12', '2026-05'])
})
