import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { describe, expect, test } from 'vitest'
import { chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const [, , SIX_WEEK_START] = PLAN_TEMPLATES

/** On March 10, the second of two children pays $100 with a discount of 10%. The first one has been
 *  deleted, so the discount applies for the last month. */
async function createLastChild(firstPlan?: object) {
  const dojo = await createPlanDojo(
    server,
    { monthly_payment_amount: 120 },
    { monthly_payment_amount: 100 },
  )
  const { sensei, students, put, remove, id, post, addPlan, start } = dojo
  await put('/sibling-prices', {
    ...{ ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] },
  })
  await server.createGuardian(sensei, students, {
    students: students.map((student) => ({ student_id: student.id, pays: true })),
  })
  const subscription = firstPlan && (await start(await addPlan(firstPlan), '2027-03-01', {}, 1))
  return {
    ...dojo,
    subscriptionId: subscription?.body.subscription_id as string,
    deleteSibling: () => remove(`/students/${id(0)}`),
    previewStart: (plan_id: string, starts_on: string) =>
      post(`/students/${id(1)}/subscriptions/preview`, { plan_id, starts_on }),
    amounts: async () => chargeRows(await dojo.account(1)),
  }
}

describe('a discount that a child keeps after a sibling was deleted', () => {
  test('applies to the days before a six-week start and to its price', async () => {
    const { addPlan, deleteSibling, previewStart, start, amounts, moveClockTo } =
      await createLastChild()
    const planId = await addPlan(SIX_WEEK_START)
    await deleteSibling()
    const preview = (await previewStart(planId, '2027-03-20')).body
    // 19 of 31 days of the fee are $61.29. With $99 for the plan, that makes $160.29.
    expect(preview.charges).toMatchObject([{ due_on: '2027-03-20', amount: 144.26 }])
    expect((await start(planId, '2027-03-20', {}, 1)).body.charges).toEqual(preview.charges)
    expect(await amounts()).toEqual([[MARCH, 144.26, 144.26]])
    await moveClockTo('2027-04-02T18:00:00Z')
    expect(await amounts()).toEqual([[MARCH, 144.26, 144.26]])
  })

  test('is the same whether the plan began before or after', async () => {
    const { addPlan, deleteSibling, start, amounts } = await createLastChild()
    await start(await addPlan(SIX_WEEK_START), '2027-03-20', {}, 1)
    expect(await amounts()).toEqual([[MARCH, 144.26, 144.26]])
    await deleteSibling()
    expect(await amounts()).toEqual([[MARCH, 144.26, 144.26]])
  })

  test('is added to what was paid when the plan starts', async () => {
    const { addPlan, deleteSibling, start, mark, amounts } = await createLastChild()
    await deleteSibling()
    await mark('paid', {}, 1)
    expect(await amounts()).toEqual([[MARCH, 90, 0]])
    const { body } = await start(await addPlan(SIX_WEEK_START), '2027-03-20', {}, 1)
    expect(body.sentences).toContain('$54.26 is added to earlier charges.')
    expect(await amounts()).toEqual([[MARCH, 144.26, 54.26]])
  })

  test('applies to a more expensive plan, and to the days that a hold leaves', async () => {
    const { addPlan, deleteSibling, post, id, amounts, subscriptionId } = await createLastChild({
      price: 93,
    })
    await deleteSibling()
    expect(await amounts()).toEqual([[MARCH, 83.7, 83.7]])
    await post(`/students/${id(1)}/holds`, {
      ...{ starts_on: '2027-03-12', ends_on: '2027-03-31', kind: 'injury', billing: 'free' },
    })
    expect(await amounts()).toEqual([[MARCH, 29.7, 29.7]])
    const plan_id = await addPlan({ name: 'Unlimited', price: 186 })
    await post(`/subscriptions/${subscriptionId}/change`, { plan_id, from: 'now' })
    // 9 days for $3 and 2 days for $6
    expect(await amounts()).toEqual([[MARCH, 35.1, 35.1]])
  })
})
