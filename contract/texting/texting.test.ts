import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dailyLimit } from './texting.ts'
import { validationErrors } from '../test/validation-errors.ts'

test('accepts whole numbers from 1 to 10,000 as the daily limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (daily_limit) => {
      expect(dailyLimit.parse({ daily_limit })).toEqual({ daily_limit })
    }),
  )
  for (const daily_limit of [
    0,
    -1,
    10_001,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '300',
    '',
    null,
    undefined,
  ]) {
    expect(validationErrors(dailyLimit, { daily_limit })).toEqual({
      daily_limit: 'Daily limit must be between 1 and 10,000',
    })
  }
})
