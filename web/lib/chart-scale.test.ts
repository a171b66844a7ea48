import { expect, test } from 'vitest'
import { columnPosition, roundAxisMaximum, twoSidedScale } from './chart-scale.ts'

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [7, 8],
  [10, 10],
  [101, 150],
  [3390, 4000],
  [4000.5, 5000],
  [0.45, 0.5],
])('an axis for %d ends at %d', (largest, top) => {
  expect(roundAxisMaximum(largest)).toBeCloseTo(top)
})

test('the highest and the deepest column just fill the height', () => {
  const { line, unit } = twoSidedScale([0, 6, 2], [2, 0, 1], 80)
  expect({ line, unit }).toEqual({ line: 60, unit: 10 })
})

test('where nobody came and nobody left, the line lies at the bottom', () => {
  expect(twoSidedScale([0, 0], [0, 0], 80)).toEqual({ line: 80, unit: 80 })
  expect(twoSidedScale([], [], 80).line).toBe(80)
})

test('columns stand side by side, in the middle of their share', () => {
  expect(columnPosition(0, 4, 0.25)).toEqual({ left: '6.25%', width: '12.5%', middle: '12.5%' })
  expect(columnPosition(3, 4, 0.25).middle).toBe('87.5%')
})
