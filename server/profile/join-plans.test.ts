import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { PASSWORD, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const NOT_OFFERED = 'The school no longer offers this plan. Please choose another one.'

async function createTestDojo() {
  const sensei = await server.createSensei()
  const { invite_code } = (await sensei.get('/invitation')).body
  const createPlan = async (name: string, changes: object = {}): Promise<string> => {
    const template = PLAN_TEMPLATES.find((plan) => plan.name === name)
    const { body } = await sensei.post('/plans', { ...template, is_public: true, ...changes })
    return body.plan.id
  }
  const createLogin = () => ({ email: uniqueEmail('mia'), password: PASSWORD, invite_code })
  const join = (plan_id: string) =>
    server.anonymous.post('/register', {
      ...createLogin(),
      name: 'Mia Chen',
      date_of_birth: '1990-05-01',
      plan_id,
    })
  const listOffers = async () =>
    (await server.anonymous.get(`/register?invite_code=${invite_code}`)).body.plans
  return { sensei, createPlan, createLogin, join, listOffers }
}

test('offers public plans on the join page, with the cheapest plan first', async () => {
  const { sensei, createPlan, listOffers } = await createTestDojo()
  expect(await listOffers()).toEqual([])
  await createPlan('Monthly fee', { age_from: 13 })
  const twiceAWeekId = await createPlan('Twice a week')
  await createPlan('Six-week start', { is_public: false })
  await createPlan('Monthly fee', { name: 'Weapons', is_add_on: true })
  const retiredId = await createPlan('Monthly fee', { name: 'Old', price: 50 })
  await sensei.post(`/plans/${retiredId}/retire`)
  expect(await listOffers()).toEqual([
    {
      id: twiceAWeekId,
      name: 'Twice a week',
      description: 'Two classes each week',
      price: '$96 a month',
      facts: ['Twice a week'],
      terms: null,
      ages: null,
      age_from: null,
      age_until: null,
    },
    expect.objectContaining({ name: 'Monthly fee', price: '$120 a month', age_from: 13 }),
  ])
})

test('shows a plan’s fees, notice and terms on the join page', async () => {
  const { createPlan, listOffers } = await createTestDojo()
  await createPlan('Monthly fee', {
    minimum_months: 6,
    notice_days: 1,
    sign_up_fee: 50,
    early_end_fee: 80,
    yearly_fee: 35,
    yearly_fee_month: 0,
    terms: 'Bring a towel.',
    age_until: 12,
  })
  await createPlan('Six-week start')
  expect(await listOffers()).toMatchObject([
    { name: 'Six-week start', facts: ['Ends after 6 weeks'] },
    {
      facts: [
        'At least 6 months',
        '1 day’s notice',
        'Sign-up fee $50',
        'Yearly fee $35 in January',
        'Ending early costs $80',
      ],
      terms: 'Bring a towel.',
      ages: 'Up to age 12',
    },
  ])
})

test('refuses a plan that the school does not offer', async () => {
  const { createPlan, join } = await createTestDojo()
  const { createPlan: createOtherPlan } = await createTestDojo()
  const hiddenPlanId = await createPlan('Monthly fee', { is_public: false })
  for (const planId of [hiddenPlanId, await createOtherPlan('Monthly fee')]) {
    const refusal = await join(planId)
    expect([refusal.status, refusal.body.detail]).toEqual([422, NOT_OFFERED])
    expect(refusal.body.errors).toEqual([{ field: 'plan_id', message: NOT_OFFERED }])
  }
  expect((await join('')).status).toBe(200)
})

test('starts the plan when the instructor approves the student', async () => {
  const { sensei, createPlan, join } = await createTestDojo()
  const planId = await createPlan('Twice a week')
  const { body } = await join(planId)
  const readPlans = async () =>
    (await sensei.get(`/students/${body.user.id}/membership`)).body.subscriptions
  expect(await readPlans()).toEqual([])
  await sensei.post(`/students/${body.user.id}/approve`)
  expect(await readPlans()).toMatchObject([{ plan_id: planId, state: 'running', next_charge: {} }])
})

test('previews what starts with the approval, and tells the student the same', async () => {
  setClock('2027-03-17T18:00:00Z')
  const { sensei, createPlan, join } = await createTestDojo()
  const plan_id = await createPlan('Twice a week')
  const { body } = await join(plan_id)
  const path = `/students/${body.user.id}`
  expect((await sensei.get(`${path}/membership`)).body.requested_plan_id).toBe(plan_id)
  const preview = await sensei.post(`${path}/subscriptions/preview`, {
    ...{ plan_id, starts_on: '2027-03-17' },
  })
  expect(preview.body.sentences.slice(0, 2)).toEqual([
    'Twice a week starts on March 17, $96 a month.',
    'The student pays $46.45 on March 17, $96 on April 1 and $96 on May 1.',
  ])
  await sensei.post(`${path}/approve`)
  const { body: notifications } = await server.clientFor(body.token).get('/notifications')
  expect(notifications).toContainEqual(
    expect.objectContaining({
      title: 'New plan: Twice a week',
      message: expect.stringContaining(
        'You pay $46.45 on March 17, $96 on April 1 and $96 on May 1.',
      ),
    }),
  )
})

test('starts nothing if an amount differs from what the instructor saw', async () => {
  setClock('2027-03-17T18:00:00Z')
  const { sensei, createPlan, join } = await createTestDojo()
  const plan_id = await createPlan('Twice a week')
  const { body } = await join(plan_id)
  const path = `/students/${body.user.id}`
  const { charges } = (
    await sensei.post(`${path}/subscriptions/preview`, { plan_id, starts_on: '2027-03-17' })
  ).body
  const quotedSums = charges.map(({ due_on, amount }: { due_on: string; amount: number }) => ({
    ...{ due_on, amount },
  }))
  const [firstSum, ...otherSums] = quotedSums
  const refusal = await sensei.post(`${path}/approve`, {
    quoted: [{ ...firstSum, amount: 20 }, ...otherSums],
  })
  expect([refusal.status, refusal.body.detail]).toEqual([
    409,
    'The sums have changed since you saw them. Due now: $46.45 on March 17, 2027. Look at them and ' +
      'save again.',
  ])
  expect((await sensei.get('/students')).body).toMatchObject([{ awaits_approval: true }])
  expect((await sensei.post(`${path}/approve`, { quoted: quotedSums })).status).toBe(200)
})

test('says why a plan cannot start, and approves the student without it', async () => {
  const { sensei, createPlan, join } = await createTestDojo()
  const plan_id = await createPlan('Twice a week')
  const { body } = await join(plan_id)
  const path = `/students/${body.user.id}`
  await sensei.post(`/plans/${plan_id}/retire`)
  const refusal = await sensei.post(`${path}/approve`)
  expect([refusal.status, refusal.body.detail]).toEqual([409, 'This plan is no longer sold'])
  expect((await sensei.get(`${path}/membership`)).body.requested_plan_id).toBe(plan_id)
  expect((await sensei.post(`${path}/approve`, { without_plan: true })).status).toBe(200)
})

test('refuses a plan for another age, but the instructor can still start it', async () => {
  setClock('2027-03-17T18:00:00Z')
  const { sensei, createPlan, createLogin, join } = await createTestDojo()
  const plan_id = await createPlan('Twice a week')
  const { body } = await join(plan_id)
  const plan = (await sensei.get('/plans')).body[0]
  await sensei.put(`/plans/${plan_id}`, { ...plan, age_until: 12 })
  const refusal = await join(plan_id)
  const message = 'This plan is for students up to 12 years'
  expect([refusal.status, refusal.body.errors]).toEqual([422, [{ field: 'plan_id', message }]])
  const guardianRefusal = await server.anonymous.post('/register/guardian', {
    ...createLogin(),
    guardian: { name: 'Eva Diaz', relation: 'mother', phone: '512 555 0178' },
    children: [{ name: 'Leo Diaz', date_of_birth: '2012-01-01', plan_id }],
  })
  expect(guardianRefusal.body.errors).toEqual([{ field: 'children.0.plan_id', message }])
  const path = `/students/${body.user.id}`
  const preview = await sensei.post(`${path}/subscriptions/preview`, {
    ...{ plan_id, starts_on: '2027-03-17' },
  })
  expect(preview.status).toBe(200)
  expect((await sensei.post(`${path}/approve`)).status).toBe(200)
  expect((await sensei.get(`${path}/membership`)).body.subscriptions).toHaveLength(1)
})

test('sells a class pack that a student chose, after showing its price', async () => {
  setClock('2027-03-17T18:00:00Z')
  const { sensei, createPlan, join } = await createTestDojo()
  const plan_id = await createPlan('Ten classes', { price: 140, visits: 10, valid_days: 90 })
  const { body } = await join(plan_id)
  const path = `/students/${body.user.id}`
  const sale = { plan_id, starts_on: '2027-03-17' }
  const preview = await sensei.post(`${path}/subscriptions/preview`, sale)
  expect(preview.body).toEqual({
    sentences: ['The student gets 10 classes, to use by June 15.', 'The student pays $140 today.'],
    charges: [{ name: 'Ten classes', due_on: '2027-03-17', amount: 140, reason: null }],
    last_day: null,
    last_sum: null,
  })
  expect((await sensei.get(`${path}/membership`)).body.packs).toEqual([])
  const approveFor = (amount: number) =>
    sensei.post(`${path}/approve`, { quoted: [{ due_on: '2027-03-17', amount }] })
  expect((await approveFor(120)).status).toBe(409)
  expect((await approveFor(140)).status).toBe(200)
  expect((await sensei.get(`${path}/membership`)).body).toMatchObject({
    ...{ requested_plan_id: null, packs: [{ plan_name: 'Ten classes', visits_left: 10 }] },
  })
  expect((await sensei.get('/payment-balances')).body).toMatchObject([{ owed: 140 }])
})

test('approves a student without the plan', async () => {
  const { sensei, createPlan, join } = await createTestDojo()
  const { body } = await join(await createPlan('Twice a week'))
  const path = `/students/${body.user.id}`
  await sensei.post(`${path}/approve`, { without_plan: true })
  expect((await sensei.get(`${path}/membership`)).body).toMatchObject({
    ...{ subscriptions: [], requested_plan: null, requested_plan_id: null },
  })
})

test('lets a guardian choose a plan for each child', async () => {
  const { sensei, createPlan, createLogin } = await createTestDojo()
  const planId = await createPlan('Twice a week')
  const createChild = (name: string, plan_id: string) => ({
    name,
    date_of_birth: '2020-01-01',
    plan_id,
  })
  const joinWithPlan = (plan_id: string) =>
    server.anonymous.post('/register/guardian', {
      ...createLogin(),
      guardian: { name: 'Eva Diaz', relation: 'mother', phone: '512 555 0178' },
      children: [createChild('Leo Diaz', ''), createChild('Mia Diaz', plan_id)],
    })
  const refusal = await joinWithPlan('00000000-0000-4000-8000-000000000000')
  expect(refusal.body.errors).toEqual([{ field: 'children.1.plan_id', message: NOT_OFFERED }])
  expect((await joinWithPlan(planId)).status).toBe(200)
  const students = (await sensei.get('/students')).body as { id: string; name: string }[]
  const planNames = await Promise.all(
    students.map(async ({ id, name }) => {
      await sensei.post(`/students/${id}/approve`)
      const { subscriptions } = (await sensei.get(`/students/${id}/membership`)).body
      return [name, subscriptions.map(({ plan_name }: { plan_name: string }) => plan_name)]
    }),
  )
  expect(Object.fromEntries(planNames)).toEqual({
    'Leo Diaz': [],
    'Mia Diaz': ['Twice a week'],
  })
})
