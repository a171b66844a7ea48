import { describe, expect, test } from 'vitest'
import { APRIL, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

describe('the first month of a plan', () => {
  test.each([
    ['2027-04-30', '2027-05-15', 60.32],
    ['2027-03-20', '2027-05-10', 78.06],
    ['2027-04-10', '2027-05-10', 78.06],
  ])('costs nothing between a plan to %s and one from %s', async (lastDay, starts_on, sum) => {
    const { addPlan, start, post, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 85,
    })
    const { body } = await start(await addPlan({ price: 96 }), '2027-03-01')
    await post(`/subscriptions/${body.subscription_id}/end`, { last_day: lastDay })
    const next = await start(await addPlan({ price: 110 }), starts_on)
    expect(
      next.body.charges.find(({ name }: { name: string }) => name === 'May 2027'),
    ).toMatchObject({ due_on: starts_on, amount: sum })
    await moveClockTo('2027-06-10T18:00:00Z')
    expect((await account()).charges.find(({ month }) => month === MAY)).toMatchObject({
      amount: sum,
    })
  })

  test('is due when the plan starts, also if a part of it is the monthly fee', async () => {
    const { addPlan, start, mark, dues, get, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 85,
    })
    await mark('paid')
    await moveClockTo('2027-04-27T18:00:00Z')
    const plan = await addPlan({ price: 1000, cycle_unit: 'year' })
    const { body } = await start(plan, '2027-04-27')
    expect(body.charges[0]).toMatchObject({ due_on: '2027-04-27' })
    expect(await dues(APRIL)).toMatchObject([{ since: '2027-04-27' }])
    expect((await get('/owing')).body).toMatchObject([{ since: '2027-04-27' }])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect((await account()).charges).toMatchObject([
      { month: MARCH },
      { month: APRIL, charged_on: '2027-04-27' },
    ])
  })

  test('costs nothing for days on hold, before the plan, too', async () => {
    const { addPlan, start, post, id, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 85,
    })
    await start(await addPlan({ price: 96 }), '2027-05-31')
    // 20 days on hold and 10 that cost the fee, then a day of the plan.
    await post(`/students/${id()}/holds`, {
      ...{ kind: 'injury', starts_on: '2027-05-01', ends_on: '2027-05-20', moves_end: false },
      billing: 'free',
    })
    await moveClockTo('2027-06-10T18:00:00Z')
    expect((await account()).charges.find(({ month }) => month === MAY)).toMatchObject({
      amount: 30.52,
    })
  })

  test('is not charged to somebody on vacation since before the plan', async () => {
    const { addPlan, start, put, id, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 120,
    })
    await put(`/students/${id()}/vacation`, { vacation_from: '2027-03-10', vacation_until: null })
    await moveClockTo('2027-05-27T18:00:00Z')
    const { body } = await start(await addPlan({ price: 96 }), '2027-05-27')
    expect(body.charges.filter(({ amount }: { amount: number }) => amount > 0)).toEqual([])
    await moveClockTo('2027-06-10T18:00:00Z')
    expect((await account()).charges.filter(({ month }) => month === MAY)).toEqual([])
  })
})

test('ending a plan before it starts says that the monthly fee still applies', async () => {
  const { addPlan, start, post } = await createPlanDojo(server, { monthly_payment_amount: 85 })
  const { body } = await start(await addPlan({ price: 96 }), '2027-04-01')
  const end = await post(`/subscriptions/${body.subscription_id}/end/preview`, {})
  expect(end.body.sentences).toEqual([
    'The plan ends as if it had never started.',
    'Nothing more is due for this plan.',
    'The monthly fee of $85 still applies.',
  ])
})
