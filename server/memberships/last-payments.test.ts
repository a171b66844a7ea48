import { expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Today is March 10, 2027. */
async function previewEnd(plan: object, end: object = {}) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { body } = await dojo.start(await dojo.addPlan({ price: 93, ...plan }), '2027-03-01')
  return (await dojo.post(`/subscriptions/${body.subscription_id}/end/preview`, end)).body
}

test('an end in two years names the last payment before it', async () => {
  const { sentences, charges } = await previewEnd({ minimum_months: 24 })
  expect(sentences.slice(0, 2)).toEqual([
    'The last day is February 28, 2029.',
    'The last payment is $93 on February 1, 2029.',
  ])
  expect(charges).toHaveLength(24)
})

test('an end that is entered late names what is still owed of the month', async () => {
  const { sentences, last_sum } = await previewEnd({}, { asked_on: '2027-03-05' })
  expect(sentences).toEqual(['The last day is March 5.', 'The last payment is $15 on March 10.'])
  expect(last_sum).toBe(15)
})
