import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEW_STUDENT = { monthly_payment_amount: 0 }

describe('the month of a student with a plan', () => {
  test('is marked paid, recorded and reset like any other', async () => {
    const { addPlan, start, mark, records, statistics, post, account } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    await start(await addPlan(), '2027-03-17')
    expect((await mark('paid')).body).toMatchObject({ monthly_payment_amount: 46.45 })
    expect(await statistics()).toMatchObject({ total_paid_this_month: 1, monthly_revenue: 46.45 })
    await post('/reset-monthly-payments', { payment_month: MARCH, payment_year: 2027 })
    expect(await records()).toMatchObject([{ payment_status: 'unpaid' }])
    expect(await statistics()).toMatchObject({ total_yet_to_pay: 1, monthly_revenue: 0 })
    expect((await account()).balance).toBe(46.45)
  })

  test('has the weeks that start in it', async () => {
    const { addPlan, start, account, moveClockTo, fee } = await createPlanDojo(server, NEW_STUDENT)
    await start(await addPlan({ price: 25, cycle_unit: 'week' }), '2027-03-10')
    expect(await fee()).toBe(108.33)
    await moveClockTo('2027-05-01T18:00:00Z')
    expect(chargeRows(await account()).slice(0, 2)).toEqual([
      [MARCH, 100, 100],
      [APRIL, 100, 100],
    ])
  })

  test('has nothing due in most months of a yearly plan', async () => {
    const { addPlan, start, account, moveClockTo, dues } = await createPlanDojo(server, NEW_STUDENT)
    await start(await addPlan({ price: 900, cycle_unit: 'year' }), '2027-03-01')
    await moveClockTo('2027-04-20T18:00:00Z')
    expect(await dues(APRIL)).toEqual([])
    await moveClockTo('2028-03-02T18:00:00Z')
    expect((await account()).charges).toMatchObject([
      { month: MARCH, year: 2027, amount: 900 },
      { month: MARCH, year: 2028, amount: 900 },
    ])
  })

  test('costs another price if the fee of the student is set, from the same month', async () => {
    const { addPlan, start, get, put, id, account, moveClockTo } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    await start(await addPlan(), '2027-03-01')
    const { student } = (await get(`/students/${id()}`)).body
    const raise = { ...student, monthly_payment_amount: 110, fee_from: 'next_month' }
    expect((await put(`/students/${id()}`, raise)).status).toBe(200)
    await moveClockTo('2027-04-20T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 96, 96],
      [APRIL, 110, 110],
    ])
  })

  test('cannot cost another price by the fee if the plan is paid by the week', async () => {
    const { addPlan, start, get, put, id } = await createPlanDojo(server, NEW_STUDENT)
    await start(await addPlan({ name: 'Weekly', cycle_unit: 'week' }), '2027-03-01')
    const { student } = (await get(`/students/${id()}`)).body
    expect(
      (await put(`/students/${id()}`, { ...student, monthly_payment_amount: 50 })).body,
    ).toEqual({
      detail: "This student's price comes from the plan Weekly. Change it on the Membership card.",
    })
  })

  test('follows a price that members were told of, unless they ended the plan before', async () => {
    const { addPlan, start, post, put, get, account, moveClockTo } = await createPlanDojo(
      server,
      NEW_STUDENT,
      NEW_STUDENT,
    )
    const plan = await addPlan({ notice_days: 60 })
    await start(plan, '2027-03-01')
    const otherPlan = await start(plan, '2027-03-01', {}, 1)
    const [form] = (await get('/plans')).body
    const change = await put(`/plans/${plan}`, { ...form, price: 99 })
    expect(change.body).toMatchObject({ made_new_version: true, plan: { members: 2 } })
    await post(`/plans/${plan}/price-announcements`, { effective_on: '2027-04-15' })
    await post(`/subscriptions/${otherPlan.body.subscription_id}/end`)
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 96, 96],
      [APRIL, 96, 96],
      [MAY, 99, 99],
    ])
    expect(chargeRows(await account(1)).at(-1)).toEqual([MAY, 27.87, 27.87])
  })
})

describe('a yearly fee', () => {
  test('is charged once a calendar year, and not soon after the sign-up', async () => {
    const { addPlan, start, account, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
    const fees = { sign_up_fee: 40, yearly_fee: 30, yearly_fee_month: APRIL }
    await start(await addPlan(fees), '2027-03-10')
    await start(await addPlan({ ...fees, is_add_on: true, sign_up_fee: 0 }), '2027-03-11')
    await moveClockTo('2028-04-05T18:00:00Z')
    const yearlyFees = (await account()).charges.filter(({ kind }) => kind === 'yearly')
    expect(yearlyFees).toMatchObject([{ charged_on: '2028-04-01', amount: 30 }])
  })

  test('is not charged soon after the sign-up for an earlier plan', async () => {
    const { addPlan, start, post, account, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
    const plan = await addPlan({ sign_up_fee: 40, yearly_fee: 30, yearly_fee_month: APRIL })
    const { body } = await start(plan, '2027-03-10')
    await post(`/subscriptions/${body.subscription_id}/end`, { last_day: '2027-03-20' })
    await moveClockTo('2027-03-25T18:00:00Z')
    await start(plan, '2027-03-25')
    await moveClockTo('2027-05-20T18:00:00Z')
    expect((await account()).charges.filter(({ kind }) => kind === 'yearly')).toEqual([])
  })

  test('is due after a hold', async () => {
    const { addPlan, start, post, id, account, moveClockTo } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    await start(await addPlan({ yearly_fee: 30, yearly_fee_month: APRIL }), '2027-03-10')
    await post(`/students/${id()}/holds`, {
      ...{ starts_on: '2027-03-25', ends_on: '2027-04-10', kind: 'injury', billing: 'free' },
    })
    await moveClockTo('2027-04-05T18:00:00Z')
    const yearlyFees = async () => (await account()).charges.filter(({ kind }) => kind === 'yearly')
    expect(await yearlyFees()).toEqual([])
    await moveClockTo('2027-05-20T18:00:00Z')
    expect(await yearlyFees()).toMatchObject([{ charged_on: '2027-04-11', amount: 30 }])
  })
})

describe('brothers and sisters', () => {
  test('get their reduction on plans, but not on add-ons', async () => {
    const { addPlan, start, put, dues, id, account, sensei } = await createPlanDojo(
      server,
      NEW_STUDENT,
      NEW_STUDENT,
    )
    await server.createGuardian(sensei, [], {
      students: [id(0), id(1)].map((student_id) => ({ student_id, pays: true })),
    })
    await put('/sibling-prices', {
      ordered_by: 'highest_fee',
      prices: [{ nth: 2, percent: 10 }],
    })
    await start(await addPlan({ price: 100 }), '2027-03-01')
    const plan = await addPlan({ price: 80 })
    await start(plan, '2027-03-01', {}, 1)
    await start(await addPlan({ price: 31, is_add_on: true }), '2027-03-01', {}, 1)
    const costs = new Map((await dues()).map(({ student_id, cost }) => [student_id, cost]))
    expect([costs.get(id(0)), costs.get(id(1))]).toEqual([100, 72])
    expect((await account(1)).charges).toContainEqual(
      expect.objectContaining({ kind: 'plan', amount: 31 }),
    )
  })
})

describe('a student who leaves', () => {
  test('ends the plan on the last day, and takes it up again if that is undone', async () => {
    const { addPlan, start, post, account, membership, id, mark } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    await start(await addPlan({ price: 93, notice_days: 30 }), '2027-03-01')
    await mark('paid')
    await post(`/students/${id()}/leave`, { left_on: '2027-03-10', reason: 'moved_away' })
    expect((await account()).credit).toBe(63)
    await post(`/students/${id()}/return`)
    expect((await account()).credit).toBe(0)
    expect((await membership()).subscriptions).toMatchObject([{ state: 'running', price: 93 }])
  })

  test('can be deleted, and the books keep the charges of the plan', async () => {
    const { addPlan, start, statistics, mark, id, sensei } = await createPlanDojo(
      server,
      NEW_STUDENT,
    )
    await start(await addPlan({ sign_up_fee: 40 }), '2027-03-01')
    await mark('paid')
    const reply = await server.clientFor(sensei.token).delete(`/students/${id()}`)
    expect(reply.status).toBe(200)
    expect(await statistics()).toMatchObject({ monthly_revenue: 96 })
  })
})
