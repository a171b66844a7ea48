import { describe, expect, test } from 'vitest'
import { chargeRows, APRIL, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEXT_PERIOD = { from: 'next_period' }

/** Ken has the plan Basic since March 1, recorded on March 10. Today is March 20. */
async function startBasic(basicTerms: object = {}, unlimitedTerms: object = {}) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { addPlan, start, post, membership, moveClockTo } = dojo
  const basic = await addPlan({ name: 'Basic', price: 93, ...basicTerms })
  const unlimitedPlan = await addPlan({ name: 'Unlimited', price: 124, ...unlimitedTerms })
  const { subscription_id: id } = (await start(basic, '2027-03-01')).body
  await moveClockTo('2027-03-20T18:00:00Z')
  const act = (name: string, form: object = {}, subscriptionId: string = id) =>
    post(`/subscriptions/${subscriptionId}/${name}`, form)
  const change = (form: object = {}) =>
    act('change', { plan_id: unlimitedPlan, ...NEXT_PERIOD, ...form })
  const plans = async () =>
    (await membership()).subscriptions
      .filter(({ state }: { state: string }) => state !== 'ended')
      .map(({ plan_name, starts_on, ends_on }: Record<string, string | null>) => [
        ...[plan_name, starts_on, ends_on],
      ])
  return { ...dojo, subscriptionId: id, act, change, plans }
}

describe('a plan with a hold of its own', () => {
  const HOLD = { starts_on: '2027-04-01', ends_on: '2027-04-30', kind: 'injury', billing: 'free' }

  test('is not changed until the hold ends, so that no day on hold is charged', async () => {
    const { change, post, sensei, id, subscriptionId } = await startBasic()
    const { body } = await post(`/students/${id()}/holds`, {
      ...HOLD,
      subscription_id: subscriptionId,
    })
    const reply = await change()
    expect([reply.status, reply.body.detail]).toEqual([
      409,
      'Basic is on hold until April 30, 2027. End this hold first, and hold the new plan after ' +
        'the change.',
    ])
    expect((await sensei.delete(`/holds/${body.hold_id}`)).status).toBe(200)
    expect((await change()).status).toBe(200)
  })

  test('is changed if the hold is for all plans, which goes on', async () => {
    const { change, post, id } = await startBasic()
    await post(`/students/${id()}/holds`, HOLD)
    const { body } = await change()
    expect(body.charges[0]).toMatchObject({ due_on: '2027-05-01', amount: 124 })
  })
})

describe('the minimum term of a plan that is changed', () => {
  test('stays in force, with its last day', async () => {
    const { change, act, membership } = await startBasic({ minimum_months: 6 })
    const { body } = await change()
    expect(body.sentences).toContain('It runs until at least August 31.')
    expect((await membership()).subscriptions[1]).toMatchObject({ minimum_until: '2027-08-31' })
    const end = await act('end/preview', { last_day: '2027-04-10' }, body.subscription_id)
    expect(end.body.last_day).toBe('2027-04-10')
  })

  test('stays in force after the change, and holds move its end', async () => {
    const { change, act, moveClockTo, post, id } = await startBasic({ minimum_months: 6 })
    await post(`/students/${id()}/holds`, {
      ...{ starts_on: '2027-03-22', ends_on: '2027-03-26', kind: 'injury', moves_end: true },
    })
    const { body } = await change()
    await moveClockTo('2027-04-20T18:00:00Z')
    await post(`/students/${id()}/holds`, {
      ...{ starts_on: '2027-05-01', ends_on: '2027-05-10', kind: 'injury', moves_end: true },
    })
    const end = await act('end/preview', {}, body.subscription_id)
    expect(end.body.last_day).toBe('2027-09-15')
    expect((await act('end', { last_day: '2027-05-31' }, body.subscription_id)).body.last_day).toBe(
      '2027-05-31',
    )
  })

  test('is shortened only with a reason', async () => {
    const { change, membership } = await startBasic({ minimum_months: 6 })
    expect((await change({ bound_until: '2027-06-30' })).body.errors).toMatchObject([
      { field: 'reason' },
    ])
    expect((await change({ bound_until: '2027-12-31', reason: 'No' })).status).toBe(422)
    await change({ bound_until: '2027-06-30', reason: 'Moves in July' })
    expect((await membership()).subscriptions[1]).toMatchObject({ minimum_until: '2027-06-30' })
  })

  test('stays in force if the plan was recorded on the day of the change', async () => {
    const { addPlan, start, post, membership } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
    })
    const basic = await addPlan({ name: 'Basic', minimum_months: 6 })
    const { body } = await start(basic, '2027-02-01')
    const plan_id = await addPlan({ name: 'Unlimited' })
    const path = `/subscriptions/${body.subscription_id}/change`
    const form = { plan_id, from: 'now', bound_until: '' }
    const preview = (await post(`${path}/preview`, form)).body
    expect(preview.sentences).toContain('It runs until at least July 31.')
    const shorterForm = { ...form, bound_until: '2027-05-31', reason: 'Agreed' }
    const change = await post(path, shorterForm)
    expect(change.body.sentences).toContain('It runs until at least May 31.')
    expect((await membership()).subscriptions[0]).toMatchObject({ minimum_until: '2027-05-31' })
  })

  test('cannot be shortened if there is none', async () => {
    const { change } = await startBasic()
    expect((await change({ bound_until: '2027-06-30', reason: 'Agreed' })).body.errors).toEqual([
      {
        field: 'bound_until',
        message: 'This plan has no minimum term that could be shortened',
      },
    ])
  })

  test('allows a cheaper plan only with a reason', async () => {
    const { addPlan, change, membership } = await startBasic({ minimum_months: 6 })
    const plan_id = await addPlan({ name: 'Once a week', price: 62 })
    const refusal = await change({ plan_id })
    expect([refusal.status, refusal.body.errors]).toEqual([
      422,
      [{ field: 'reason', message: 'Say why the plan gets cheaper within the minimum term' }],
    ])
    expect((await change({ plan_id, reason: 'New job' })).status).toBe(200)
    expect((await membership()).subscriptions).toMatchObject([
      { plan_name: 'Basic', cancel_reason: 'New job' },
      { plan_name: 'Once a week', minimum_until: '2027-08-31' },
    ])
  })

  test('is not cut off by a plan that ends by itself, without a reason', async () => {
    const { change } = await startBasic({ minimum_months: 6 }, { kind: 'term', minimum_months: 1 })
    expect((await change()).body.errors).toMatchObject([{ field: 'reason' }])
    expect((await change({ reason: 'Agreed' })).status).toBe(200)
  })

  test('stays in force within the cooling-off days of the new plan', async () => {
    const { change, act, put, get, moveClockTo } = await startBasic({ minimum_months: 6 })
    await put('/plan-rules', { ...(await get('/plan-rules')).body, cooling_off_days: 14 })
    await moveClockTo('2027-03-28T18:00:00Z')
    const { body } = await change()
    await moveClockTo('2027-04-03T18:00:00Z')
    expect((await act('end/preview', {}, body.subscription_id)).body.last_day).toBe('2027-08-31')
  })
})

test('a plan without a minimum term changes to a cheaper one without a reason', async () => {
  const { addPlan, change } = await startBasic()
  const plan_id = await addPlan({ name: 'Once a week', price: 62 })
  expect((await change({ plan_id })).status).toBe(200)
})

describe('ending a plan before its change', () => {
  test('ends the current plan by its rules and cancels the next one', async () => {
    const { change, act, plans } = await startBasic({ notice_days: 30 })
    const { body } = await change()
    const preview = (await act('end/preview', {}, body.subscription_id)).body
    expect(preview).toMatchObject({
      sentences: [
        'The last day is April 19.',
        'Unlimited won’t start.',
        'The last payment is $58.90 on April 1.',
      ],
      last_day: '2027-04-19',
    })
    expect((await act('end', {}, body.subscription_id)).body).toMatchObject(preview)
    expect(await plans()).toEqual([['Basic', '2027-03-01', '2027-04-19']])
    expect((await act('end', {}, body.subscription_id)).body).toMatchObject({
      ...preview,
      act_id: null,
    })
  })

  test('keeps its minimum term, also if the end of the running plan is asked for', async () => {
    const { change, act, plans } = await startBasic({ minimum_months: 6 })
    await change()
    await act('end')
    expect(await plans()).toEqual([['Basic', '2027-03-01', '2027-08-31']])
  })

  test('can be taken back, and then the change takes place', async () => {
    const { change, act, plans, account, moveClockTo, membership } = await startBasic({
      notice_days: 30,
    })
    const { body } = await change()
    await act('end', {}, body.subscription_id)
    expect((await membership()).subscriptions[0]).toMatchObject({ may_keep: true })
    await moveClockTo('2027-04-10T18:00:00Z')
    expect((await act('keep')).status).toBe(200)
    expect(await plans()).toEqual([['Unlimited', '2027-04-01', null]])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 93, 93],
      [APRIL, 124, 124],
      [MAY, 124, 124],
    ])
  })

  test('leaves no monthly fee behind, also after a time without a server', async () => {
    const { change, act, fee, moveClockTo, account } = await startBasic()
    const { body } = await change()
    await act('end', { ground: 'moved' }, body.subscription_id)
    await moveClockTo('2027-06-20T18:00:00Z')
    expect(await fee()).toBe(0)
    expect(chargeRows(await account()).map(([month]) => month)).toEqual([MARCH])
  })

  test('honors a last day in the time of the coming plan, with its fee', async () => {
    const { change, act, plans } = await startBasic({}, { minimum_months: 3, early_end_fee: 50 })
    const { body } = await change()
    const end = await act('end', { last_day: '2027-04-20' }, body.subscription_id)
    expect(end.body.sentences).toContain('Ending early costs $50.')
    expect(await plans()).toEqual([
      ['Basic', '2027-03-01', '2027-03-31'],
      ['Unlimited', '2027-04-01', '2027-04-20'],
    ])
  })

  test('honors the day of a ground, before and after the change', async () => {
    const { change, act, plans } = await startBasic({ minimum_months: 6 }, { minimum_months: 3 })
    const { body } = await change()
    const movedForm = { ground: 'moved', last_day: '2027-04-20' }
    await act('end', movedForm, body.subscription_id)
    expect((await plans())[1]).toEqual(['Unlimited', '2027-04-01', '2027-04-20'])
    await act('keep', {}, body.subscription_id)
    await act('end', { ground: 'moved' }, body.subscription_id)
    expect(await plans()).toEqual([['Basic', '2027-03-01', '2027-03-20']])
  })

  test('stays in force for a student who leaves and comes back', async () => {
    const { change, post, id, plans } = await startBasic()
    await change()
    const plansBefore = await plans()
    await post(`/students/${id()}/leave`, { left_on: '2027-03-20', reason: 'moved_away' })
    expect(await plans()).toEqual([['Basic', '2027-03-01', '2027-03-20']])
    expect((await post(`/students/${id()}/return`)).status).toBe(200)
    expect(await plans()).toEqual(plansBefore)
  })
})

describe('a plan that has not started', () => {
  const inTwoWeeks = '2027-03-24'
  const startComing = async (terms: object) => {
    const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
    const { body } = await dojo.start(await dojo.addPlan(terms), inTwoWeeks)
    const end = async (form: object = {}) =>
      (await dojo.post(`/subscriptions/${body.subscription_id}/end`, form)).body
    return { ...dojo, end, path: `/subscriptions/${body.subscription_id}` }
  }

  test('cannot be ended free of its minimum term and notice', async () => {
    const { end } = await startComing({ minimum_months: 6, notice_days: 30 })
    expect(await end()).toMatchObject({ last_day: '2027-09-23' })
    const { end: endWithNotice } = await startComing({ notice_days: 30 })
    expect(await endWithNotice()).toMatchObject({ last_day: '2027-04-09' })
  })

  test('can be ended without either, or within the cooling-off days', async () => {
    const { end } = await startComing({ notice_days: 7 })
    expect((await end()).sentences[0]).toBe('The plan ends as if it had never started.')
    const { end: endSoon, put, get } = await startComing({ minimum_months: 6 })
    await put('/plan-rules', { ...(await get('/plan-rules')).body, cooling_off_days: 7 })
    expect((await endSoon()).sentences[0]).toBe('The plan ends as if it had never started.')
  })

  test('honors a last day, and costs the fee for ending early even before it starts', async () => {
    const { end, account } = await startComing({ minimum_months: 6, early_end_fee: 75 })
    expect(await end({ last_day: '2027-04-30' })).toMatchObject({ last_day: '2027-04-30' })
    await end({ last_day: '2027-03-15' })
    expect(chargeRows(await account())).toContainEqual(['early_end', 75, 75])
  })

  test('is undone on the day on which it was recorded, and ended later', async () => {
    const { post, path, membership, moveClockTo, start, addPlan } = await startComing({
      minimum_months: 6,
    })
    expect((await post(`${path}/undo`)).status).toBe(200)
    expect((await membership()).subscriptions).toMatchObject([{ state: 'ended' }])
    expect((await post(`${path}/undo`)).status).toBe(409)
    const { body } = await start(await addPlan(), inTwoWeeks)
    await moveClockTo('2027-03-11T18:00:00Z')
    expect((await post(`/subscriptions/${body.subscription_id}/undo`)).body.detail).toBe(
      'This plan was recorded on an earlier day. End it instead.',
    )
  })
})

describe('a change of plans', () => {
  test('is taken back until its day by keeping the plan', async () => {
    const { change, act, plans, membership, moveClockTo } = await startBasic({
      minimum_months: 6,
    })
    await change()
    expect((await membership()).subscriptions[0]).toMatchObject({
      may_keep: true,
      changes_to: { plan_name: 'Unlimited', starts_on: '2027-04-01' },
    })
    expect((await act('keep')).body.sentences).toEqual(['The plan continues.'])
    expect(await plans()).toEqual([['Basic', '2027-03-01', null]])
    await act('end', { last_day: '2027-03-31' })
    await act('keep')
    expect(await plans()).toEqual([['Basic', '2027-03-01', null]])
    await change()
    await moveClockTo('2027-04-01T18:00:00Z')
    expect((await act('keep')).status).toBe(409)
  })

  test('from today is undone on the same day, with what it charged', async () => {
    const { change, act, plans, account, mark } = await startBasic()
    await mark('paid')
    const { body } = await change({ from: 'now' })
    expect(chargeRows(await account())).toEqual([[MARCH, 105, 12]])
    expect((await act('undo', {}, body.subscription_id)).status).toBe(200)
    expect(await plans()).toEqual([['Basic', '2027-03-01', null]])
    expect(chargeRows(await account())).toEqual([[MARCH, 93, 0]])
  })

  test('on the first day of a plan charges no part of it before that day', async () => {
    const { addPlan, start, post, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
    })
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-21')
    const plan_id = await addPlan({ price: 62 })
    await moveClockTo('2027-03-21T18:00:00Z')
    await post(`/subscriptions/${body.subscription_id}/change`, { plan_id, from: 'now' })
    await moveClockTo('2027-04-02T18:00:00Z')
    expect(chargeRows(await account())[0]).toEqual([MARCH, 22, 22])
  })

  test('of a coming plan is undone to the plan that was to come', async () => {
    const { change, act, plans, addPlan } = await startBasic()
    const coming = (await change()).body.subscription_id
    const planId = await addPlan({ name: 'Family' })
    const { body } = await act('change', { plan_id: planId, ...NEXT_PERIOD }, coming)
    expect((await plans())[1]).toEqual(['Family', '2027-04-01', null])
    await act('undo', {}, body.subscription_id)
    expect((await plans())[1]).toEqual(['Unlimited', '2027-04-01', null])
    await act('keep')
    expect(await plans()).toEqual([['Basic', '2027-03-01', null]])
  })

  test('is not taken back by the payer, who can end both', async () => {
    const { change, sensei, id, subscriptionId } = await startBasic({ notice_days: 30 })
    const { body } = await change()
    const { email } = await server.createGuardian(sensei, [], {
      students: [{ student_id: id(), pays: true }],
    })
    const ann = await server.signIn(email)
    expect((await ann.get('/my/memberships')).body[0].subscriptions).toMatchObject([
      { plan_name: 'Basic', may_keep: false },
      { plan_name: 'Unlimited', may_end: true },
    ])
    expect((await ann.post(`/my/subscriptions/${subscriptionId}/keep`, {})).status).toBe(409)
    const end = await ann.post(`/my/subscriptions/${body.subscription_id}/end`, {})
    expect(end.body.last_day).toBe('2027-04-19')
    expect((await ann.post(`/my/subscriptions/${subscriptionId}/keep`, {})).status).toBe(200)
  })
})

describe('a plan that starts some days after another one has ended', () => {
  test('costs no monthly fee before it, also if no server ran meanwhile', async () => {
    const { addPlan, start, moveClockTo, account } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
    })
    await start(await addPlan({ kind: 'term', minimum_months: 1, price: 93 }), '2027-03-11')
    await start(await addPlan({ price: 31 }), '2027-05-04')
    await moveClockTo('2027-03-12T18:00:00Z')
    await moveClockTo('2027-07-20T18:00:00Z')
    expect((await account()).charges.find(({ month }) => month === MAY)).toMatchObject({
      amount: 28,
    })
  })
})

describe('billing days from the 31st', () => {
  test('return to the 31st after a change on the last day of a short month', async () => {
    const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
    const { addPlan, start, post, moveClockTo, account } = dojo
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-31', {
      billing_day: 'start',
    })
    await moveClockTo('2027-04-20T18:00:00Z')
    const plan_id = await addPlan({ price: 124 })
    const change = await post(`/subscriptions/${body.subscription_id}/change`, {
      ...{ plan_id, from: 'next_period' },
    })
    expect(change.body.charges).toMatchObject([
      { due_on: '2027-04-30', amount: 124 },
      { due_on: '2027-05-31', amount: 124 },
      { due_on: '2027-06-30', amount: 124 },
    ])
    await moveClockTo('2028-03-02T18:00:00Z')
    expect((await account()).charges.map(({ charged_on }) => charged_on?.slice(5))).toEqual([
      ...['03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31'],
      ...['11-30', '12-31', '01-31', '02-29', '03-31'],
    ])
  })
})
