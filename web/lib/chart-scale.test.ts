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
])('ends the axis for a maximum of %d at %d', (maximum, axisEnd) => {
  expect(roundAxisMaximum(maximum)).toBeCloseTo(axisEnd)
})

test('scales the tallest columns above and below the line to fill the height', () => {
  const { line, unit } = twoSidedScale([0, 6, 2], [2, 0, 1], 80)
  expect({ line, unit }).toEqual({ line: 60, unit: 10 })
})

test('puts the line at the bottom when all values are 0', () => {
  expect(twoSidedScale([0, 0], [0, 0], 80)).toEqual({ line: 80, unit: 80 })
  expect(twoSidedScale([], [], 80).line).toBe(80)
})

test('places columns side by side, each in the middle of its share', () => {
  expect(columnPosition(0, 4, 0.25)).toEqual({ left: '6.25%', width: '12.5%', middle: '12.5%' })
  expect(columnPosition(3, 4, 0.25).middle).toBe('87.5%')
})
