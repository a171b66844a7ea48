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
])('rounds the maximum %d of an axis up to %d', (maximum, roundMaximum) => {
  expect(roundAxisMaximum(maximum)).toBeCloseTo(roundMaximum)
})

test('the tallest columns above and below the zero line fill the height', () => {
  expect(twoSidedScale([0, 6, 2], [2, 0, 1], 80)).toEqual({ zeroLineY: 60, unitHeight: 10 })
})

test('puts the zero line at the bottom if all values are 0', () => {
  expect(twoSidedScale([0, 0], [0, 0], 80)).toEqual({ zeroLineY: 80, unitHeight: 80 })
  expect(twoSidedScale([], [], 80).zeroLineY).toBe(80)
})

test('places columns side by side, with the same gap on both sides of each', () => {
  expect(columnPosition(0, 4, 0.25)).toEqual({ left: '6.25%', width: '12.5%', middle: '12.5%' })
  expect(columnPosition(3, 4, 0.25).middle).toBe('87.5%')
})
