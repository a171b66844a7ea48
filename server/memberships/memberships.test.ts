import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
/** A student who enrolled on March 10 and has not paid anything. */
const NEW_STUDENT = { monthly_payment_amount: 0 }

describe('starting a plan', () => {
  test('costs the days of the first month, as the preview says', async () => {
    const { addPlan, post, id, start, account, moveClockTo, dues } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    const plan = await addPlan()
    const preview = await post(`/students/${id()}/subscriptions/preview`, {
      plan_id: plan,
      starts_on: '2027-03-17',
    })
    expect(preview.body).toEqual({
      sentences: [
        'Twice a week starts on March 17, $96 a month.',
        'The student pays $46.45 on March 17, $96 on April 1 and $96 on May 1.',
      ],
      charges: [
        { name: 'March 2027', due_on: '2027-03-17', amount: 46.45, reason: '15 of 31 days' },
        { name: 'April 2027', due_on: '2027-04-01', amount: 96, reason: null },
        { name: 'May 2027', due_on: '2027-05-01', amount: 96, reason: null },
      ],
      last_day: null,
      last_sum: null,
    })
    const { body } = await start(plan, '2027-03-17')
    expect(body).toMatchObject(preview.body)
    expect(await dues()).toMatchObject([{ cost: 46.45, owed: 46.45, since: '2027-03-17' }])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 46.45, 46.45],
      [APRIL, 96, 96],
      [MAY, 96, 96],
    ])
  })

  test('ends a trial on its first day, and says before what it costs', async () => {
    const { addPlan, start, get, account, moveClockTo } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
      is_trial: true,
    })
    const { body } = await start(await addPlan({ price: 96 }), '2027-03-22')
    expect(body.charges.slice(0, 2)).toMatchObject([
      { name: 'March 2027', amount: 30.97, due_on: '2027-03-22' },
      { name: 'April 2027', amount: 96, due_on: '2027-04-01' },
    ])
    expect((await get('/membership-figures')).body.lists.joining).toMatchObject([
      { day: '2027-03-22' },
    ])
    await moveClockTo('2027-03-22T18:00:00Z')
    await moveClockTo('2027-04-02T18:00:00Z')
    expect(chargeRows(await account())).toContainEqual([MARCH, 30.97, 30.97])
  })

  test('replaces the monthly fee from its first day on', async () => {
    const { addPlan, start, account, moveClockTo, fee, membership } = await createPlanDojo(server, {
      monthly_payment_amount: 62,
    })
    await moveClockTo('2027-04-05T18:00:00Z')
    const { body } = await start(await addPlan(), '2027-04-16')
    expect(body.charges[0]).toEqual({
      name: 'April 2027',
      due_on: '2027-04-16',
      amount: 79,
      reason: '15 of 30 days of the monthly fee, 15 of 30 days',
    })
    expect(await fee()).toBe(62)
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await fee()).toBe(96)
    expect(chargeRows(await account())).toEqual([
      [MARCH, 62, 62],
      [APRIL, 79, 79],
      [MAY, 96, 96],
    ])
    expect((await membership()).subscriptions).toMatchObject([
      { plan_name: 'Twice a week', price: 96, state: 'running', next_charge: { amount: 96 } },
    ])
  })

  test('is refused for a second plan on a day, but not for an add-on', async () => {
    const { addPlan, start } = await createPlanDojo(server, NEW_STUDENT)
    const plan = await addPlan()
    const otherPlan = await addPlan({ name: 'Unlimited' })
    const addOn = await addPlan({ name: 'Weapons class', is_add_on: true, price: 25 })
    await start(plan, '2027-03-17')
    expect((await start(otherPlan, '2027-04-01')).body.detail).toMatch(/^The student already has/)
    expect((await start(addOn, '2027-04-01')).status).toBe(200)
    expect((await start(addOn, '2027-05-01')).status).toBe(409)
  })

  test('charges the sign-up fee on the first day, once', async () => {
    const { addPlan, start, account, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
    await start(await addPlan({ sign_up_fee: 40 }), '2027-03-17')
    expect(chargeRows(await account())).toEqual([[MARCH, 46.45, 46.45]])
    await moveClockTo('2027-03-18T18:00:00Z')
    await moveClockTo('2027-03-19T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 46.45, 46.45],
      ['sign_up', 40, 40],
    ])
  })

  test('shows the sign-up fee of a plan that began earlier, and charges it', async () => {
    const { addPlan, start, account } = await createPlanDojo(server, NEW_STUDENT)
    const { body } = await start(await addPlan({ sign_up_fee: 40 }), '2027-03-02')
    expect(body.charges).toContainEqual(expect.objectContaining({ amount: 40 }))
    expect(chargeRows(await account())).toContainEqual(['sign_up', 40, 40])
  })

  test('takes another price only with a reason', async () => {
    const { addPlan, start, dues } = await createPlanDojo(server, NEW_STUDENT)
    const plan = await addPlan()
    expect((await start(plan, '2027-03-10', { price_override: 62 })).status).toBe(422)
    await start(plan, '2027-03-10', { price_override: 62, override_reason: 'Helps with kids' })
    expect(await dues()).toMatchObject([{ cost: 44 }])
  })
})

describe('an add-on', () => {
  test('is charged period by period, also after 13 months without a server', async () => {
    const { addPlan, start, account, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
    const addOn = await addPlan({ name: 'Weapons class', is_add_on: true, price: 31 })
    await start(addOn, '2027-03-10')
    expect(chargeRows(await account())).toEqual([['plan', 22, 22]])
    await moveClockTo('2028-04-15T18:00:00Z')
    const { charges } = await account()
    expect(charges).toHaveLength(14)
    expect(charges[13]).toMatchObject({ note: 'Weapons class: April 2028', owed: 31 })
  })
})

describe('ending a plan', () => {
  test('follows the notice, and asking twice changes nothing', async () => {
    const { addPlan, start, post, account, moveClockTo, fee } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    const { body } = await start(await addPlan({ notice_days: 30 }), '2027-03-01')
    const path = `/subscriptions/${body.subscription_id}/end`
    const preview = (await post(`${path}/preview`, {})).body
    expect(preview).toMatchObject({
      sentences: ['The last day is April 9.', 'The last payment is $28.80 on April 1.'],
      last_day: '2027-04-09',
      last_sum: 28.8,
    })
    expect((await post(path, {})).body).toMatchObject(preview)
    expect((await post(path, {})).body).toMatchObject({ ...preview, act_id: null })
    await moveClockTo('2027-06-02T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 96, 96],
      [APRIL, 28.8, 28.8],
    ])
    expect(await fee()).toBe(0)
  })

  test('gives back days that were paid already, and keeping it takes them again', async () => {
    const { addPlan, start, post, account, mark } = await createPlanDojo(server, NEW_STUDENT)
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-01')
    await mark('paid')
    const path = `/subscriptions/${body.subscription_id}`
    const end = await post(`${path}/end`, { ground: 'moved' })
    expect(end.body.sentences).toContain('$63 already paid becomes credit.')
    expect((await account()).credit).toBe(63)
    await post(`${path}/keep`)
    expect((await account()).credit).toBe(0)
    expect(chargeRows(await account())).toEqual([[MARCH, 93, 0]])
  })

  test('within the cooling-off days gives everything back, in one act', async () => {
    const { addPlan, start, post, get, put, account, pay, fee } = await createPlanDojo(server, {
      monthly_payment_amount: 50,
      is_trial: true,
    })
    await put('/plan-rules', { ...(await get('/plan-rules')).body, cooling_off_days: 14 })
    const { body } = await start(await addPlan({ sign_up_fee: 40 }), '2027-03-10')
    await pay(200)
    const end = await post(`/subscriptions/${body.subscription_id}/end`, {})
    expect(end.body.sentences[0]).toBe('The plan ends as if it had never started.')
    expect(await account()).toMatchObject({ balance: -200, credit: 200 })
    expect(await fee()).toBe(0)
  })

  test('before the minimum term is over needs a last day, and costs a fee', async () => {
    const { addPlan, start, post, account } = await createPlanDojo(server, NEW_STUDENT)
    const plan = await addPlan({ minimum_months: 6, kind: 'renewing', early_end_fee: 75 })
    const { body } = await start(plan, '2027-03-01')
    const path = `/subscriptions/${body.subscription_id}/end`
    expect((await post(`${path}/preview`, {})).body.last_day).toBe('2027-08-31')
    const end = await post(path, { last_day: '2027-03-31' })
    expect(end.body.sentences).toContain('Ending early costs $75.')
    expect(chargeRows(await account())).toContainEqual(['early_end', 75, 75])
  })

  test('is not stopped by debts', async () => {
    const { addPlan, start, post, charge } = await createPlanDojo(server, NEW_STUDENT)
    await charge(500)
    const { body } = await start(await addPlan(), '2027-03-01')
    expect((await post(`/subscriptions/${body.subscription_id}/end`, {})).status).toBe(200)
  })
})

describe('changing a plan', () => {
  test('now charges the difference of a month that was paid', async () => {
    const { addPlan, start, post, account, mark } = await createPlanDojo(server, NEW_STUDENT)
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-01')
    await mark('paid')
    const unlimitedPlan = await addPlan({ name: 'Unlimited', price: 124 })
    const change = await post(`/subscriptions/${body.subscription_id}/change`, {
      plan_id: unlimitedPlan,
      from: 'now',
    })
    expect(change.body.sentences).toContain('$22 is added to earlier charges.')
    expect(chargeRows(await account())).toEqual([[MARCH, 115, 22]])
  })

  test('with the next period leaves this month as it is', async () => {
    const { addPlan, start, post, account, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-01')
    const unlimitedPlan = await addPlan({ name: 'Unlimited', price: 124 })
    await post(`/subscriptions/${body.subscription_id}/change`, {
      plan_id: unlimitedPlan,
      from: 'next_period',
    })
    await moveClockTo('2027-05-01T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 93, 93],
      [APRIL, 124, 124],
      [MAY, 124, 124],
    ])
  })
})
