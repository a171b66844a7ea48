import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { expect, test } from 'vitest'
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

test('offers public plans on the join page, the cheapest first', async () => {
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
