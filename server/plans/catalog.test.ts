import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

describe('a plan', () => {
  test('is not changed over somebody else’s change', async () => {
    const { addPlan, get, put } = await createPlanDojo(server)
    const path = `/plans/${await addPlan()}`
    const [plan] = (await get('/plans')).body
    expect((await put(path, { ...plan, price: 99 })).body.plan).toMatchObject({ revision: 2 })
    const { status, body } = await put(path, { ...plan, notice_days: 14 })
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/^Somebody else has/)])
    expect((await get('/plans')).body).toMatchObject([{ price: 99, notice_days: 0 }])
  })

  test('has a name of its own among those that are sold', async () => {
    const { addPlan, post, put, get } = await createPlanDojo(server)
    const id = await addPlan({ name: 'Kids' })
    const otherId = await addPlan({ name: 'Adults' })
    const [kids, adults] = (await get('/plans')).body
    const refusal = {
      status: 409,
      body: {
        detail: 'There is already a plan named kids. Choose another name, or edit that plan.',
      },
    }
    expect(await post('/plans', { ...kids, name: 'kids' })).toMatchObject(refusal)
    expect(await put(`/plans/${otherId}`, { ...adults, name: 'kids' })).toMatchObject(refusal)
    expect((await put(`/plans/${id}`, { ...kids, name: 'KIDS' })).status).toBe(200)
    await post(`/plans/${id}/retire`)
    expect((await post('/plans', { ...kids, name: 'kids' })).status).toBe(200)
    expect((await post(`/plans/${id}/restore`)).status).toBe(409)
  })

  test('is made only once of two calls at the same time', async () => {
    const { post, get, addPlan } = await createPlanDojo(server)
    await addPlan({ name: 'Adults' })
    const [plan] = (await get('/plans')).body
    const replies = await Promise.all([1, 2].map(() => post('/plans', { ...plan, name: 'Kids' })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})
