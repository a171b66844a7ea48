import { describe, expect, test } from 'vitest'
import { type HeldPlan, previewHold } from './hold-preview.ts'
import type { BilledHold, BilledSubscription } from './periods.ts'

const TODAY = '2026-03-20'
const createPlan = (
  hold: Partial<BilledHold> & { from: string; until: string | null },
  terms: Partial<BilledSubscription> = {},
  plan_name = 'Kids',
): HeldPlan => {
  const subscription: BilledSubscription = {
    starts_on: '2026-01-01',
    ends_on: null,
    cycle: { unit: 'month', count: 1 },
    billing_day: 'first',
    first_period: 'prorated',
    prices: [{ from: '2026-01-01', cents: 9600 }],
    holds: [],
    ...terms,
  }
  const billedHold: BilledHold = { billing: 'prorated', fee_cents: 0, moves_end: false, ...hold }
  return {
    plan_name,
    before: subscription,
    after: { ...subscription, holds: [billedHold] },
  }
}
const APRIL_AND_MAY = { from: '2026-04-01', until: '2026-05-31' }

describe('a hold', () => {
  test('of whole months', () => {
    const preview = previewHold([createPlan(APRIL_AND_MAY)], APRIL_AND_MAY, TODAY)
    expect(preview).toEqual({
      sentences: [
        'On hold from April 1 through May 31.',
        'The first payment after the hold is $96 on June 1.',
      ],
      charges: [
        { name: 'Kids', due_on: '2026-04-01', amount: 0, reason: 'on hold' },
        { name: 'Kids', due_on: '2026-05-01', amount: 0, reason: 'on hold' },
      ],
      last_day: null,
      last_sum: null,
    })
  })

  test('of a part of this month and the next', () => {
    const days = { from: '2026-03-22', until: '2026-04-10' }
    expect(previewHold([createPlan(days)], days, TODAY)).toMatchObject({
      sentences: [
        'On hold from March 22 through April 10.',
        'The first payment after the hold is $96 on May 1.',
      ],
      charges: [
        { due_on: '2026-03-01', amount: 65.03, reason: '21 of 31 days' },
        { due_on: '2026-04-01', amount: 64, reason: '20 of 30 days' },
      ],
    })
  })

  test('without an end', () => {
    const days = { from: '2026-04-01', until: null }
    const { sentences, charges } = previewHold([createPlan(days)], days, TODAY)
    expect(sentences).toEqual(['On hold from April 1 until you end it.'])
    expect(charges.map(({ due_on }) => due_on)).toEqual([
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
      '2026-07-01',
    ])
  })

  test('that changes no payment', () => {
    const full = createPlan({ ...APRIL_AND_MAY, billing: 'full' })
    expect(previewHold([full], APRIL_AND_MAY, TODAY).sentences).toEqual([
      'On hold from April 1 through May 31.',
      'Payments don’t change.',
    ])
  })

  test('that moves the end', () => {
    const moving = { ...APRIL_AND_MAY, moves_end: true }
    const plan = createPlan(moving, { ends_on: '2026-06-30' })
    expect(previewHold([plan], APRIL_AND_MAY, TODAY)).toMatchObject({
      sentences: [
        'On hold from April 1 through May 31.',
        'The first payment after the hold is $96 on June 1.',
        'The plan ends on August 30 instead of June 30.',
      ],
      last_day: '2026-08-30',
    })
    const days = { from: '2026-04-01', until: null }
    const openPlan = createPlan({ ...days, moves_end: true }, { ends_on: '2026-06-30' })
    expect(previewHold([openPlan], days, TODAY).sentences).toContain(
      'The plan ends as many days later as the hold lasts.',
    )
  })

  test('of two plans', () => {
    const plans = [
      createPlan(APRIL_AND_MAY),
      createPlan(
        APRIL_AND_MAY,
        { cycle: { unit: 'week', count: 1 }, prices: [{ from: '2026-01-01', cents: 1000 }] },
        'Weapons',
      ),
    ]
    expect(previewHold(plans, APRIL_AND_MAY, TODAY).sentences).toEqual([
      'On hold from April 1 through May 31.',
      'The first payment after the hold for Kids is $96 on June 1.',
      'The first payment after the hold for Weapons is $10 on June 4.',
    ])
  })

  test('of a student without a plan, on one day', () => {
    const days = { from: '2026-04-01', until: '2026-04-01' }
    expect(previewHold([], days, TODAY).sentences).toEqual(['On hold on April 1.'])
  })
})
