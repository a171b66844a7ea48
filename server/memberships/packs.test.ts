import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { createPlan } from '../test/plan-members.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const TODAY = '2026-03-20'
const TEN_CLASSES = {
  name: 'Ten classes',
  kind: 'pack' as const,
  price: 150,
  visits: 10,
  valid_days: 30,
}

async function setUpDojo(plan: Parameters<typeof createPlan>[1] = TEN_CLASSES) {
  setClock(`${TODAY}T18:00:00Z`)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, {
    enrolled_classes: [class_id],
    monthly_payment_amount: 0,
  })
  const soldPlan = await createPlan(sensei, plan)
  return {
    ...{ sensei, student, soldPlan },
    sell: (form: object = {}, seller: Pick<typeof sensei, 'post'> = sensei) =>
      seller.post(`/students/${student.id}/packs`, { plan_id: soldPlan.id, ...form }),
    charges: async () => (await sensei.get(`/students/${student.id}/account`)).body.charges,
    words: async (day = TODAY) =>
      (await sensei.get(`/class-entries?class_id=${class_id}&day=${day}`)).body[0]?.words ?? null,
  }
}

describe('selling a pack', () => {
  test('charges it, and gives the visits', async () => {
    const { sell, charges, words, soldPlan } = await setUpDojo()
    const { status, body } = await sell()
    expect(status).toBe(200)
    expect(body).toEqual({
      pack: {
        id: expect.any(String),
        plan_id: soldPlan.id,
        plan_name: 'Ten classes',
        bought_on: TODAY,
        expires_on: '2026-04-19',
        visits: 10,
        visits_left: 10,
        price: 150,
      },
      act_id: expect.any(String),
    })
    expect(await charges()).toMatchObject([
      { kind: 'pack', amount: 150, owed: 150, note: 'Ten classes', charged_on: TODAY },
    ])
    expect(await words()).toBe('10 visits left')
  })

  test('is undone with its payment act', async () => {
    const { sensei, sell, charges, words } = await setUpDojo()
    const { act_id } = (await sell()).body
    expect((await sensei.post(`/ledger-acts/${act_id}/undo`)).status).toBe(200)
    expect(await words()).toBeNull()
    expect(await charges()).toEqual([])
  })

  test('twice by mistake is refused, unless each request has a key', async () => {
    const { sensei, student, sell, charges, soldPlan } = await setUpDojo()
    const replies = await Promise.all([sell(), sell()])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.detail).toBe(
      'This was sold to the student already. To sell it twice, send an Idempotency-Key with each ' +
        'request.',
    )
    expect(await charges()).toHaveLength(1)
    expect((await sell({ bought_on: '2026-03-19' })).status).toBe(200)
    const reply = await server.http.inject({
      ...{ method: 'POST', url: `/api/students/${student.id}/packs` },
      headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'second-pack' },
      payload: { plan_id: soldPlan.id },
    })
    expect(reply.statusCode).toBe(200)
    expect(await charges()).toHaveLength(3)
  })

  test('can cost something else, with a reason', async () => {
    const { sensei, sell, charges } = await setUpDojo()
    expect(await sell({ price_override: 100 })).toMatchObject({
      status: 422,
      body: { detail: 'Say why the price differs' },
    })
    const cheaper = { price_override: 100, override_reason: 'Helps at the desk' }
    const clerk = await server.createStaff(sensei, { rights: ['students.edit', 'money.take'] })
    expect((await sell(cheaper, clerk)).status).toBe(403)
    expect((await sell(cheaper)).body.pack.price).toBe(100)
    expect(await charges()).toMatchObject([
      { amount: 100, note: 'Ten classes (Helps at the desk)' },
    ])
  })

  test('for nothing charges nothing', async () => {
    const { sell, charges, words } = await setUpDojo({ ...TEN_CLASSES, price: 0 })
    expect((await sell()).body).toMatchObject({ act_id: null, pack: { price: 0 } })
    expect(await charges()).toEqual([])
    expect(await words()).toBe('10 visits left')
  })

  test('can be entered for an earlier day, not for a later one', async () => {
    const { sell } = await setUpDojo()
    expect((await sell({ bought_on: '2026-03-01' })).body.pack.expires_on).toBe('2026-03-31')
    expect(await sell({ bought_on: '2026-03-21' })).toMatchObject({
      status: 422,
      body: { detail: 'Date must not be in the future' },
    })
  })

  test('of a plan that is no pack, or retired, is refused', async () => {
    const { sensei, sell, soldPlan } = await setUpDojo()
    const monthlyFee = await createPlan(sensei)
    expect(await sell({ plan_id: monthlyFee.id })).toMatchObject({
      status: 409,
      body: { detail: 'This plan is not a class pack' },
    })
    await sensei.post(`/plans/${soldPlan.id}/retire`)
    expect(await sell()).toMatchObject({ status: 409 })
    const otherSensei = await server.createSensei()
    expect((await sell({}, otherSensei)).status).toBe(404)
  })

  test('uses credit that the student has', async () => {
    const { sensei, student, sell, charges } = await setUpDojo()
    await sensei.post('/payments', { student_id: student.id, amount: 50, method: 'cash' })
    await sell()
    expect(await charges()).toMatchObject([{ amount: 150, owed: 100 }])
  })
})

test('a drop-in is one visit on the day', async () => {
  const { sell, charges, words } = await setUpDojo({ name: 'Drop-in', kind: 'drop_in', price: 20 })
  expect((await sell()).body.pack).toMatchObject({ visits: 1, expires_on: TODAY, price: 20 })
  expect(await charges()).toMatchObject([{ kind: 'drop_in', amount: 20, note: 'Drop-in' }])
  expect(await words()).toBe('1 visit left')
  expect(await words('2026-03-21')).toBe('No visits left')
})
