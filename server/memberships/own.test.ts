import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Ann pays for a student with a plan. Ben only sees the student. */
async function createFamily() {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const link = { student_id: dojo.id() }
  const ann = await server.createGuardian(dojo.sensei, [], { students: [{ ...link, pays: true }] })
  const ben = await server.createGuardian(dojo.sensei, [], { students: [link] })
  const plan = await dojo.addPlan({ notice_days: 30 })
  const { subscription_id } = (await dojo.start(plan, '2027-03-01')).body
  return {
    ...{ dojo, path: `/my/subscriptions/${subscription_id}` },
    ann: await server.signIn(ann.email),
    ben: await server.signIn(ben.email),
  }
}

describe('a plan at home', () => {
  test('is ended and kept by the payer, who sees the last day and sum before', async () => {
    const { ann, path } = await createFamily()
    expect((await ann.get('/my/memberships')).body).toMatchObject([
      {
        subscriptions: [
          {
            ...{ plan_name: 'Twice a week', price: '$96 a month', may_end: true },
            next_charge: { due_on: '2027-03-10', amount: 96 },
          },
        ],
      },
    ])
    const preview = (await ann.post(`${path}/end/preview`, {})).body
    expect(preview).toMatchObject({ last_day: '2027-04-09', last_sum: 28.8, may_keep: true })
    expect((await ann.post(`${path}/end`, {})).body).toEqual(preview)
    const readOwn = async () => (await ann.get('/my/memberships')).body[0].subscriptions[0]
    expect(await readOwn()).toMatchObject({ state: 'ending', may_end: false, may_keep: true })
    expect((await ann.post(`${path}/keep`, {})).status).toBe(200)
    expect(await readOwn()).toMatchObject({ state: 'running', may_end: true, may_keep: false })
  })

  test('is kept on the day on which its end took it back from the first day', async () => {
    const { dojo, ann, path } = await createFamily()
    const rules = (await dojo.get('/plan-rules')).body
    await dojo.put('/plan-rules', { ...rules, cooling_off_days: 14 })
    expect((await ann.post(`${path}/end/preview`, {})).body).toMatchObject({ may_keep: true })
    await ann.post(`${path}/end`, {})
    expect((await ann.post(`${path}/keep`, {})).status).toBe(200)
  })

  test('shows no sums to a guardian who does not pay, who cannot end it', async () => {
    const { ben, path } = await createFamily()
    expect((await ben.get('/my/memberships')).body).toMatchObject([
      { subscriptions: [{ plan_name: 'Twice a week', price: null, next_charge: null }] },
    ])
    expect((await ben.post(`${path}/end`, {})).status).toBe(403)
    expect((await ben.post(`${path}/end/preview`, {})).status).toBe(403)
  })

  test('is unknown to other families', async () => {
    const { dojo, path } = await createFamily()
    const eve = await server.createGuardian(dojo.sensei, [], {})
    const client = await server.signIn(eve.email)
    expect((await client.get('/my/memberships')).body).toEqual([])
    for (const act of ['end/preview', 'end', 'keep'])
      expect((await client.post(`${path}/${act}`, {})).status).toBe(404)
  })
})
