import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Ken has a plan for $93 a month with a sign-up fee of $20 since March 1. He has paid everything,
 *  and owes $50 for equipment. Today is March 10. */
async function createMember(terms: object = {}, coolingOffDays = 0) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { addPlan, start, post, put, get, pay, charge } = dojo
  const rules = (await get('/plan-rules')).body
  await put('/plan-rules', { ...rules, cooling_off_days: coolingOffDays })
  const planId = await addPlan({ name: 'Basic', price: 93, sign_up_fee: 20, ...terms })
  const { subscription_id: id } = (await start(planId, '2027-03-01')).body
  await pay(113, { method: 'card' })
  await charge(50)
  const act = (name: string, form: object = {}) => post(`/subscriptions/${id}/${name}`, form)
  const state = async () => (await dojo.membership()).subscriptions[0]
  return { ...dojo, subscriptionId: id, act, state }
}

describe('an end within the cooling-off days', () => {
  test('offers what was paid as a refund, less what is still owed', async () => {
    const { act, account, post, id } = await createMember({}, 14)
    const { sentences, refundable } = (await act('end')).body
    expect(refundable).toBe(63)
    expect(sentences).toContain('$113 already paid becomes credit.')
    expect(sentences).toContain('It pays what is owed first, so $63 can be refunded.')
    expect(await account()).toMatchObject({ credit: 113, balance: -63 })
    const refund = await post('/refunds', { student_id: id(), amount: 63, method: 'card' })
    expect(refund.status).toBe(200)
    expect(await account()).toMatchObject({ balance: 0 })
  })

  test('honors a later day, without a fee', async () => {
    const { act, state, account } = await createMember({ early_end_fee: 40, notice_days: 30 }, 14)
    const { body } = await act('end', { last_day: '2027-03-31' })
    expect(body).toMatchObject({ last_day: '2027-03-31' })
    expect(await state()).toMatchObject({ ends_on: '2027-03-31', state: 'ending' })
    expect(chargeRows(await account())).toContainEqual([MARCH, 93, 0])
  })

  test('counts from the start of a plan that is recorded later', async () => {
    const { act } = await createMember({ notice_days: 30 }, 5)
    expect((await act('end/preview')).body).toMatchObject({ last_day: '2027-04-09' })
  })

  test('is taken back on the same day, and costs what it cost before', async () => {
    const { act, state, account, fee, moveClockTo } = await createMember({}, 14)
    const rowsBefore = chargeRows(await account())
    await act('end')
    expect(await fee()).toBe(0)
    expect(await state()).toMatchObject({ state: 'ended', may_keep: true })
    expect((await act('keep')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'running', ends_on: null })
    expect(await fee()).toBe(93)
    expect(chargeRows(await account())).toEqual(rowsBefore)
    await act('end')
    await moveClockTo('2027-03-11T18:00:00Z')
    expect(await state()).toMatchObject({ may_keep: false })
    expect((await act('keep')).status).toBe(409)
  })

  test('is taken back at home, too', async () => {
    const { sensei, students, subscriptionId } = await createMember({}, 14)
    const { email } = await server.createGuardian(sensei, [], {
      students: students.map(({ id }) => ({ student_id: id, pays: true })),
    })
    const ann = await server.signIn(email)
    const path = `/my/subscriptions/${subscriptionId}`
    expect((await ann.post(`${path}/end`, {})).body.may_keep).toBe(true)
    expect((await ann.get('/my/memberships')).body[0].subscriptions).toMatchObject([
      { may_keep: true },
    ])
    expect((await ann.post(`${path}/keep`, {})).status).toBe(200)
  })

  test('is possible after a change, as long as the plan before could be ended', async () => {
    const { act, addPlan, post, moveClockTo } = await createMember({ minimum_months: 6 }, 14)
    const plan_id = await addPlan({ name: 'Unlimited', price: 124 })
    await moveClockTo('2027-03-12T18:00:00Z')
    const change = (await act('change', { plan_id, from: 'now' })).body
    const path = `/subscriptions/${change.subscription_id}/end/preview`
    expect((await post(path)).body.sentences[0]).toBe('The plan ends as if it had never started.')
    await moveClockTo('2027-03-16T18:00:00Z')
    expect((await post(path)).body.last_day).toBe('2027-08-31')
  })
})

describe('an end because of a ground, on a day of the past', () => {
  test('leaves the unused days as credit, and is taken back on the same day', async () => {
    const { act, state, account } = await createMember()
    const { sentences } = (await act('end', { ground: 'moved', last_day: '2027-03-05' })).body
    expect(sentences).toContain('$78 already paid becomes credit.')
    expect(await account()).toMatchObject({ credit: 78 })
    expect((await act('keep')).status).toBe(200)
    expect(await state()).toMatchObject({ state: 'running' })
    expect(await account()).toMatchObject({ credit: 0, balance: 50 })
  })
})

describe('what an end gives back', () => {
  test('can be refunded in full if nothing is owed', async () => {
    const { act, pay } = await createMember()
    await pay(50)
    const { sentences, refundable } = (await act('end')).body
    expect(refundable).toBe(63)
    expect(sentences).toContain('It can be refunded.')
  })

  test('is not offered as a refund if as much is owed', async () => {
    const { act, charge } = await createMember()
    await charge(50)
    const { sentences, refundable } = (await act('end')).body
    expect(refundable).toBe(0)
    expect(sentences).toContain('$63 already paid becomes credit.')
    expect(sentences).toContain('It pays what is owed.')
  })

  test('pays for a month that is still owed before it can be refunded', async () => {
    const { addPlan, start, post, mark } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
    })
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-01')
    await mark('paid', { payment_month: APRIL })
    const { sentences, refundable } = (await post(`/subscriptions/${body.subscription_id}/end`))
      .body
    // Of March, 10 of 31 days are owed.
    expect(refundable).toBe(63)
    expect(sentences).toContain('It pays what is owed first, so $63 can be refunded.')
  })
})

describe('a last day of one’s own choice', () => {
  test('says which term or notice it breaks', async () => {
    const { act } = await createMember({ minimum_months: 6 })
    expect((await act('end/preview', { last_day: '2027-05-31' })).body.sentences).toContain(
      'The minimum term would run until August 31.',
    )
    const { act: actWithNotice } = await createMember({ notice_days: 30 })
    const { sentences } = (await actWithNotice('end/preview', { last_day: '2027-03-20' })).body
    expect(sentences).toContain('With the notice, the last day would be April 9.')
    expect((await act('end/preview')).body.sentences.join()).not.toContain('would')
  })

  test('is not before the plan began', async () => {
    const { act } = await createMember()
    const { body } = await act('end/preview', { last_day: '2020-01-01' })
    expect(body.errors).toMatchObject([
      { field: 'last_day', message: 'This plan began on March 1, 2027. Choose a later day.' },
    ])
  })
})
