import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { guardians, guardianships } from '../families/tables.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { waitsForLock } from '../test/locks.ts'
import { setSiblingPriceRule } from './prices.ts'

const server = await startTestServer()
const TEN_TWENTY = {
  ordered_by: 'highest_fee',
  prices: [
    { nth: 2, percent: 10, amount_off: null },
    { nth: 3, percent: 20, amount_off: null },
  ],
}

/** A mother who pays for three children: Mia 120 a month, Ana 100, Leo 80. */
async function aFamily() {
  const sensei = await server.createSensei()
  const children: Awaited<ReturnType<typeof server.createStudent>>[] = []
  for (const [name, monthly_payment_amount] of [
    ['Mia Diaz', 120],
    ['Ana Diaz', 100],
    ['Leo Diaz', 80],
  ] as const)
    children.push(await server.createStudent(sensei, { name, monthly_payment_amount }))
  const payer = newId()
  await server.db.inDojo(sensei.dojoId, async (tx) => {
    await tx.insert(guardians).values({ id: payer, name: 'Rosa Diaz' })
    await tx
      .insert(guardianships)
      .values(children.map(({ id }) => ({ guardian_id: payer, student_id: id, pays: true, since: '2026-01-01T00:00:00Z' })))
  })
  const [mia, ana, leo] = children as [(typeof children)[0], (typeof children)[0], (typeof children)[0]]
  const reduced = async (month = 2, year = 2027) =>
    Object.fromEntries(
      (await sensei.get(`/sibling-prices/students?month=${month}&year=${year}`)).body.map(
        ({ student_id, amount, reason }: { student_id: string; amount: number; reason: string }) => [
          children.find(({ id }) => id === student_id)!.name,
          `${amount} ${reason}`,
        ],
      ),
    )
  const pay = (student: { id: string }, over: object = {}) =>
    sensei.post('/payment-records', { student_id: student.id, payment_month: 2, payment_year: 2027, payment_status: 'paid', ...over })
  const update = (student: { id: string }, change: object) => sensei.put(`/students/${student.id}`, { ...student, ...change })
  return { sensei, payer, mia, ana, leo, reduced, pay, update }
}

test('a dojo begins without reductions, sets them and takes them back', async () => {
  const sensei = await server.createSensei()
  expect((await sensei.get('/sibling-prices')).body).toEqual({ ordered_by: 'highest_fee', prices: [] })
  const rule = { ordered_by: 'enrolled_first', prices: [{ nth: 2, percent: null, amount_off: 12.5 }] }
  expect((await sensei.put('/sibling-prices', rule)).body).toEqual(rule)
  expect((await sensei.put('/sibling-prices', TEN_TWENTY)).body).toEqual(TEN_TWENTY)
  const none = { ordered_by: 'highest_fee', prices: [] }
  expect([(await sensei.put('/sibling-prices', none)).body, (await sensei.get('/sibling-prices')).body]).toEqual([none, none])
})

test('of two rules that are saved at once the later one stands', async () => {
  const sensei = await server.createSensei()
  const saved = Promise.withResolvers<void>(),
    later = Promise.withResolvers<void>()
  const first = server.db.inDojo(sensei.dojoId, async (tx) => {
    await setSiblingPriceRule(tx, { ...sensei, role: 'instructor' } as never, TEN_TWENTY as never)
    saved.resolve()
    await later.promise
  })
  await saved.promise
  const rule = { ordered_by: 'enrolled_first', prices: [{ nth: 2, percent: null, amount_off: 12.5 }] }
  const second = sensei.put('/sibling-prices', rule)
  await waitsForLock(server.adminUrl)
  later.resolve()
  await first
  expect((await second).body).toEqual(rule)
})

describe('a family of three', () => {
  test('pays less for the second and the third, for the fee as listed', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, reduced } = await aFamily()
    expect(await reduced()).toEqual({})
    await sensei.put('/sibling-prices', TEN_TWENTY)
    expect(await reduced()).toEqual({ 'Ana Diaz': '90 2nd of 3: −10 %', 'Leo Diaz': '64 3rd of 3: −20 %' })
    const fees = (await sensei.get('/students')).body.map((one: { monthly_payment_amount: number }) => one.monthly_payment_amount)
    expect(fees).toEqual([100, 80, 120])
  })

  test('has the reduced amount and its reason recorded, unless the call names another amount', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, leo, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    expect((await pay(mia)).body).toMatchObject({ monthly_payment_amount: 120, price_reason: null })
    expect((await pay(ana)).body).toMatchObject({ monthly_payment_amount: 90, price_reason: '2nd of 3: −10 %' })
    expect((await pay(leo, { monthly_payment_amount: 50 })).body).toMatchObject({ monthly_payment_amount: 50, price_reason: null })
    expect((await sensei.get('/payment-statistics?month=2&year=2027')).body).toMatchObject({ monthly_revenue: 260 })
  })

  test('keeps a recorded month whatever changes later', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, ana, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await pay(ana)
    await sensei.put('/sibling-prices', { ...TEN_TWENTY, prices: [{ nth: 2, percent: 50 }] })
    expect((await sensei.get('/payment-records?month=2&year=2027')).body).toMatchObject([
      { monthly_payment_amount: 90, price_reason: '2nd of 3: −10 %' },
    ])
  })

  test('moves up when one goes on vacation, in no month that is past', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, reduced, update } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    setClock('2027-04-05T15:00:00Z')
    await update(mia, { on_vacation: true })
    expect(await reduced(3)).toEqual({ 'Leo Diaz': '72 2nd of 2: −10 %' })
    expect(await reduced(2)).toEqual({ 'Ana Diaz': '90 2nd of 3: −10 %', 'Leo Diaz': '64 3rd of 3: −20 %' })
  })

  test('counts nobody who is exempt, on trial, no longer paid for or enrolled later', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, reduced, update } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await update(mia, { sibling_exempt: true, price_note: 'Helps in the kids’ class' })
    expect(await reduced()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10 %' })
    await update(ana, { is_trial: true })
    expect(await reduced()).toEqual({})
    await update(mia, { sibling_exempt: false })
    expect(await reduced()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10 %' })
    expect(await reduced(1)).toEqual({})
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.update(guardianships).set({ ended_at: '2027-03-11T00:00:00Z' })
    })
    expect(await reduced()).toEqual({})
  })

  test('owes that much less in the figures of the dashboard', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, ana, mia, pay } = await aFamily()
    const expected = async () => (await sensei.get('/dashboard/analytics')).body.payments.at(-1)
    expect(await expected()).toEqual({ month: '2027-03-01', expected: 300, received: 0 })
    await sensei.put('/sibling-prices', TEN_TWENTY)
    expect(await expected()).toEqual({ month: '2027-03-01', expected: 274, received: 0 })
    await pay(ana)
    await pay(mia)
    expect(await expected()).toEqual({ month: '2027-03-01', expected: 274, received: 210 })
  })
})
