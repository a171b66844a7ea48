import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEW_STUDENT = { monthly_payment_amount: 0 }

/** Today is March 10, 2027. */
async function startEarlier(startsOn: string, plan: object, form: object = {}) {
  const dojo = await createPlanDojo(server, NEW_STUDENT)
  const planId = await dojo.addPlan(plan)
  const { body } = await dojo.start(planId, startsOn, form)
  const sums = async () =>
    (await dojo.account()).charges.map(({ charged_on, amount }) => [charged_on, amount])
  return { ...dojo, planId, body, sums }
}

describe('a plan that began in an earlier month', () => {
  test('is charged from the current period on, and says so', async () => {
    const { body, sums } = await startEarlier('2026-12-17', { price: 93 })
    expect(body.sentences).toEqual([
      'Twice a week started on December 17, 2026, $93 a month.',
      'Nothing is charged for the time before March 1.',
      'The student pays $93 on March 10, $93 on April 1 and $93 on May 1.',
    ])
    expect(await sums()).toEqual([['2027-03-10', 93]])
  })

  test('is charged since its start if that was chosen, and undone as one act', async () => {
    const { body, sums, post } = await startEarlier(
      '2026-12-17',
      { price: 93, sign_up_fee: 40 },
      { charges: 'start' },
    )
    expect(body.sentences).toContain('$231 is charged for the time since December 17, 2026.')
    expect(body.charges.slice(0, 3)).toEqual([
      { name: 'December 2026', due_on: '2026-12-17', amount: 45, reason: '15 of 31 days' },
      { name: 'January 2027', due_on: '2027-01-01', amount: 93, reason: null },
      { name: 'February 2027', due_on: '2027-02-01', amount: 93, reason: null },
    ])
    expect(await sums()).toEqual([
      ['2026-12-17', 45],
      ['2026-12-17', 40],
      ['2027-01-01', 93],
      ['2027-02-01', 93],
      ['2027-03-10', 93],
    ])
    await post(`/subscriptions/${body.subscription_id}/undo`)
    expect((await sums()).filter(([, amount]) => amount !== 0)).toEqual([])
  })

  test('of a year pays for the current year, not a year later', async () => {
    const { body, sums, moveClockTo } = await startEarlier(
      '2026-05-03',
      { price: 900, cycle_unit: 'year' },
      { billing_day: 'start' },
    )
    expect(body.charges.slice(0, 2)).toMatchObject([
      { due_on: '2026-05-03', amount: 900 },
      { due_on: '2027-05-03', amount: 900 },
    ])
    await moveClockTo('2027-06-01T18:00:00Z')
    expect(await sums()).toEqual([
      ['2026-05-03', 900],
      ['2027-05-03', 900],
    ])
  })

  test('of some weeks pays for those that are not over', async () => {
    const { sums } = await startEarlier('2027-02-02', {
      ...{ price: 25, cycle_unit: 'week', cycle_count: 6 },
    })
    expect(await sums()).toEqual([
      ['2027-02-02', 25],
      ['2027-03-16', 25],
    ])
  })

  test('of an add-on is charged in the same way', async () => {
    const addOn = { price: 31, is_add_on: true }
    const { sums } = await startEarlier('2026-12-01', addOn)
    expect(await sums()).toEqual([['2027-03-01', 31]])
    const { sums: allSums } = await startEarlier('2026-12-01', addOn, { charges: 'start' })
    expect((await allSums()).map(([, amount]) => amount)).toEqual([31, 31, 31, 31])
  })
})

describe('a sales tax that is entered later with an earlier day', () => {
  const TAX = { kind: 'month', percent: 10, is_added: true, starts_on: '2027-01-01', ends_on: null }

  test('does not change a sum that was shown', async () => {
    const { addPlan, start, post, put, id } = await createPlanDojo(server, NEW_STUDENT)
    const plan_id = await addPlan({ price: 93 })
    const { charges } = (
      await post(`/students/${id()}/subscriptions/preview`, { plan_id, starts_on: '2027-03-10' })
    ).body
    const quotedSums = charges.map(({ due_on, amount }: { due_on: string; amount: number }) => ({
      due_on,
      amount,
    }))
    expect((await put('/sales-taxes', { taxes: [TAX] })).status).toBe(200)
    const refusal = await start(plan_id, '2027-03-10', { quoted: quotedSums })
    expect([refusal.status, refusal.body.detail]).toEqual([
      409,
      'The sums have changed since you saw them. Due now: $72.60 on March 10, 2027, ' +
        '$102.30 on April 1, 2027, $102.30 on May 1, 2027. Look at them and save again.',
    ])
    expect((await start(plan_id, '2027-03-10')).status).toBe(200)
  })

  test('does not change what is given back of an earlier charge', async () => {
    const { addPlan, start, post, put, mark, account } = await createPlanDojo(server, NEW_STUDENT)
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-01')
    await mark('paid')
    await put('/sales-taxes', { taxes: [TAX] })
    await post(`/subscriptions/${body.subscription_id}/end`, { ground: 'moved' })
    expect((await account()).credit).toBe(63)
  })
})

test('an added sales tax is named beside the sum of a whole term', async () => {
  const { addPlan, start, put } = await createPlanDojo(server, NEW_STUDENT)
  const tax = { kind: 'month', percent: 10, is_added: true, starts_on: '2027-01-01' }
  await put('/sales-taxes', { taxes: [{ ...tax, ends_on: null }] })
  const term = { price: 99, kind: 'term', cycle_unit: 'week', cycle_count: 6 }
  const { sentences } = (await start(await addPlan(term), '2027-03-10')).body
  expect(sentences.slice(1)).toEqual([
    'The student pays $108.90 on March 10.',
    'It ends on April 20, and costs $99 plus tax in total.',
  ])
})
