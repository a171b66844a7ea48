import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sibling, type SiblingPriceRule, siblingPriceRule, siblingPricesOf } from './prices.ts'
import { ordinal } from '../lib/ordinal.ts'
import { validationErrors } from '../test/validation-errors.ts'

const createSibling = (
  id: string,
  fee: number | null,
  changes: Partial<Sibling> = {},
): Sibling => ({
  id,
  fee,
  enrolled_at: '2026-01-01',
  is_trial: false,
  on_vacation: false,
  is_exempt: false,
  ...changes,
})
const TEN_THEN_TWENTY_PERCENT: SiblingPriceRule = {
  ordered_by: 'highest_fee',
  prices: [
    { nth: 2, percent: 10 },
    { nth: 3, percent: 20 },
  ],
}
const pricesOf = (siblings: Sibling[], rule = TEN_THEN_TWENTY_PERCENT) =>
  Object.fromEntries(
    siblingPricesOf(siblings, rule).map(({ student_id, amount, reason }) => [
      student_id,
      `${amount} ${reason}`,
    ]),
  )

describe('the reduced prices of siblings', () => {
  test('go to the 2nd and 3rd sibling, with the highest fee first', () => {
    expect(
      pricesOf([createSibling('leo', 80), createSibling('mia', 120), createSibling('ana', 100)]),
    ).toEqual({
      ana: '90 2nd of 3: −10%',
      leo: '64 3rd of 3: −20%',
    })
  })

  test('follow the enrollment dates if the dojo chooses that order', () => {
    const siblings = [
      createSibling('leo', 80, { enrolled_at: '2025-05-01' }),
      createSibling('mia', 120, { enrolled_at: '2026-02-01' }),
      createSibling('ana', 100, { enrolled_at: '2025-09-01' }),
    ]
    expect(
      pricesOf(siblings, { ...TEN_THEN_TWENTY_PERCENT, ordered_by: 'enrolled_first' }),
    ).toEqual({
      ana: '90 2nd of 3: −10%',
      mia: '96 3rd of 3: −20%',
    })
  })

  test('order siblings with equal fees by enrollment date, then by id', () => {
    const enrolledEarlier = { enrolled_at: '2025-12-31' }
    expect(
      pricesOf([
        createSibling('b', 100),
        createSibling('c', 100, enrolledEarlier),
        createSibling('a', 100),
      ]),
    ).toEqual({
      a: '90 2nd of 3: −10%',
      b: '80 3rd of 3: −20%',
    })
  })

  test.each([['is_trial'], ['on_vacation'], ['is_exempt']] as const)(
    'skip a sibling with %s, so the others move up',
    (flag) => {
      expect(
        pricesOf([
          createSibling('mia', 120, { [flag]: true }),
          createSibling('ana', 100),
          createSibling('leo', 80),
        ]),
      ).toEqual({ leo: '72 2nd of 2: −10%' })
    },
  )

  test('do not apply to a single student or without a rule', () => {
    expect(pricesOf([createSibling('mia', 120)])).toEqual({})
    expect(
      pricesOf([createSibling('mia', 120), createSibling('ana', 100)], {
        ordered_by: 'highest_fee',
        prices: [],
      }),
    ).toEqual({})
  })

  test('repeat the last reduction for later siblings, and skip a position without one', () => {
    const siblings = ['a', 'b', 'c', 'd', 'e'].map((id) => createSibling(id, 100))
    expect(
      pricesOf(siblings, { ordered_by: 'highest_fee', prices: [{ nth: 3, amount_off: 15.5 }] }),
    ).toEqual({
      c: '84.5 3rd of 5: −$15.50',
      d: '84.5 4th of 5: −$15.50',
      e: '84.5 5th of 5: −$15.50',
    })
  })

  test('never fall below $0, and leave an unset fee unset', () => {
    const rule: SiblingPriceRule = {
      ordered_by: 'highest_fee',
      prices: [{ nth: 2, amount_off: 50 }],
    }
    expect(
      pricesOf([createSibling('a', 100), createSibling('b', 30), createSibling('c', null)], rule),
    ).toEqual({
      b: '0 2nd of 3: −$50.00',
    })
  })

  test('are exact to the cent', () => {
    // 85.55 minus 10% is 76.995, and half a cent rounds up.
    expect(pricesOf([createSibling('a', 85.55), createSibling('b', 85.55)])).toEqual({
      b: '77 2nd of 2: −10%',
    })
    expect(pricesOf([createSibling('a', 85.5), createSibling('b', 85.5)])).toEqual({
      b: '76.95 2nd of 2: −10%',
    })
  })

  test('do not depend on the order of the input', () => {
    const siblings = fc.uniqueArray(
      fc.record({
        id: fc.uuid(),
        fee: fc.option(fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100)),
        enrolled_at: fc.constantFrom('2025-01-01', '2026-01-01'),
        is_trial: fc.boolean(),
        on_vacation: fc.boolean(),
        is_exempt: fc.boolean(),
      }),
      { selector: ({ id }) => id, maxLength: 6 },
    )
    fc.assert(
      fc.property(siblings, (family) => {
        expect(pricesOf(family.toReversed())).toEqual(pricesOf(family))
        for (const { amount, list_fee } of siblingPricesOf(family, TEN_THEN_TWENTY_PERCENT))
          expect(amount).toBeLessThanOrEqual(list_fee)
      }),
    )
  })
})

test('requires one reduction for each position, in percent or in dollars', () => {
  const errorsOf = (...prices: object[]) =>
    validationErrors(siblingPriceRule, { ordered_by: 'highest_fee', prices })
  expect(errorsOf({ nth: 2, percent: 10 }, { nth: 3, amount_off: 20 })).toEqual({})
  expect(errorsOf({ nth: 2, percent: 10 }, { nth: 2, percent: 20 })).toEqual({
    prices: 'Each place can have one reduction',
  })
  expect(errorsOf({ nth: 2 })).toEqual({
    'prices.0.percent': 'A reduction is either a percentage or an amount in dollars',
  })
  expect(errorsOf({ nth: 2, percent: 10, amount_off: 5 })).toEqual({
    'prices.0.percent': 'A reduction is either a percentage or an amount in dollars',
  })
  expect(errorsOf({ nth: 1, percent: 101 })).toEqual({
    'prices.0.nth': 'The place must be a whole number from 2 to 10',
    'prices.0.percent': 'The reduction must be 1 to 100%',
  })
})

test('writes ordinal numbers with the right ending', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(ordinal)).toEqual(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 101st 111th'.split(' '),
  )
})
