import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const SIX_MONTHS = { kind: 'renewing', minimum_months: 6, renews_for_months: 6 }

/** A member since March 1 for $93 a month, bound for six months, who enrolled today, on March
 *  10. */
async function createMember() {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const planId = await dojo.addPlan({ ...SIX_MONTHS, name: 'Renewing', price: 93 })
  await dojo.start(planId, '2027-03-01')
  const readImpact = (day?: string) =>
    dojo.get(`/students/${dojo.id()}/leaving-impact${day ? `?left_on=${day}` : ''}`)
  const leave = (left_on: string) =>
    dojo.post(`/students/${dojo.id()}/leave`, { left_on, reason: 'cost' })
  return { ...dojo, planId, readImpact, leave }
}

describe('what leaving ends', () => {
  test('names the plan, its last payment, and the minimum term that it breaks', async () => {
    const { readImpact, leave, balances } = await createMember()
    const { body } = await readImpact()
    expect(body).toMatchObject({
      plans: [
        {
          ...{ name: 'Renewing', bound_until: '2027-08-31', credit: 0 },
          last_payment: { amount: 30, due_on: '2027-03-10' },
        },
      ],
      ...{ owed: 0, owed_this_month: 30, credit: 0 },
    })
    await leave('2027-03-10')
    expect(await balances()).toMatchObject([{ owed: 30, credit: 0 }])
  })

  test('names what each plan gives back, for the chosen day', async () => {
    const { addPlan, start, pay, readImpact, leave, balances } = await createMember()
    await start(await addPlan({ name: 'Weapons', is_add_on: true, price: 31 }), '2027-03-01')
    await pay(124)
    const { body: impactToday } = await readImpact()
    expect(impactToday).toMatchObject({ plans: [{ credit: 63 }, { credit: 21 }], credit: 84 })
    const { body } = await readImpact('2027-03-05')
    expect(body).toMatchObject({
      plans: [
        { name: 'Renewing', last_payment: null, credit: 78, bound_until: '2027-08-31' },
        { name: 'Weapons', last_payment: null, credit: 26, bound_until: null },
      ],
      ...{ owed: 0, owed_this_month: 0, credit: 104 },
    })
    expect(await balances()).toEqual([])
    await leave('2027-03-05')
    expect(await balances()).toMatchObject([{ owed: 0, credit: 104 }])
  })

  test('names a plan that has not started', async () => {
    const dojo = await createPlanDojo(server, { monthly_payment_amount: 62 })
    await dojo.start(await dojo.addPlan({ ...SIX_MONTHS, name: 'Later' }), '2027-04-01')
    const { body } = await dojo.get(`/students/${dojo.id()}/leaving-impact`)
    expect(body).toMatchObject({
      plans: [{ name: 'Later', last_payment: null, credit: 0, bound_until: '2027-09-30' }],
      owed_this_month: 62,
    })
  })

  test('shows no sums to staff who may not see fees', async () => {
    const { sensei, id } = await createMember()
    const coach = await server.createStaff(sensei, { rights: ['students.edit'] })
    const { body } = await coach.get(`/students/${id()}/leaving-impact`)
    expect(body.plans).toMatchObject([{ name: 'Renewing', last_payment: null, credit: 0 }])
  })

  test('needs a day that is not in the future', async () => {
    const { readImpact } = await createMember()
    expect(await readImpact('2027-03-11')).toMatchObject({
      status: 422,
      body: { detail: 'The last day must not be after today' },
    })
  })
})
