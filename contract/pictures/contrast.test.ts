import { expect, test } from 'vitest'
import { contrastBetween, isVisibleOnWhite } from './contrast.ts'

test('computes the WCAG contrast of two colors in either order', () => {
  expect(contrastBetween('#000000', '#ffffff')).toBe(21)
  expect(contrastBetween('#ffffff', '#000000')).toBe(21)
  expect(contrastBetween('#7c3aed', '#7c3aed')).toBe(1)
  expect(contrastBetween('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test.each([
  ['#1e3a8a', true],
  ['#c1212c', true],
  ['#949494', true],
  ['#959595', false],
  ['#f2c230', false],
  ['#ffffff', false],
])('says whether %s is visible on white: %s', (color, isVisible) => {
  expect(isVisibleOnWhite(color)).toBe(isVisible)
})
