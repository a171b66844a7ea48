import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCents } from './split-cents.ts'

test('splits evenly to the cent, with the remainder first', () => {
  expect(splitCents(1000, 3)).toEqual([334, 333, 333])
  expect(splitCents(-1000, 3)).toEqual([-334, -333, -333])
  expect(splitCents(8550, 1)).toEqual([8550])
})

test('loses no cent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 1, max: 12 }),
      (cents, parts) => {
        const split = splitCents(cents, parts)
        expect(split).toHaveLength(parts)
        expect(split.reduce((sum, one) => sum + one, 0)).toBe(cents)
        expect(Math.max(...split) - Math.min(...split)).toBeLessThan(parts)
      },
    ),
  )
})
