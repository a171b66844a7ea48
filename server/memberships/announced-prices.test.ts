import { expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** A student has the plan from March 10, and another price is told for May 1. */
async function createMember(terms: object, newPrice: number) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const planId = await dojo.addPlan({ price: 96, ...terms })
  await dojo.start(planId, '2027-03-10', { billing_day: 'start' })
  const plans = (await dojo.get('/plans')).body
  await dojo.put(`/plans/${planId}`, { ...plans[0], price: newPrice })
  await dojo.post(`/plans/${planId}/price-announcements`, { effective_on: '2027-05-01' })
  return dojo
}

test.each([
  ['an open plan', {}, 120, [120, 120, 120]],
  ['a plan with a minimum term', { minimum_months: 3 }, 120, [96, 120, 120]],
  ['a plan with a minimum term, if it gets cheaper', { minimum_months: 3 }, 80, [80, 80, 80]],
])('%s costs the new price after the term', async (_, terms, newPrice, prices) => {
  const { moveClockTo, account } = await createMember(terms, newPrice)
  await moveClockTo('2027-05-11T18:00:00Z')
  await moveClockTo('2027-06-11T18:00:00Z')
  await moveClockTo('2027-07-11T18:00:00Z')
  const { charges } = await account()
  expect(charges.slice(2).map(({ amount }) => amount)).toEqual(prices)
})
