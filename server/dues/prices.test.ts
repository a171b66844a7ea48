import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { updateVacations } from '../students/vacations.ts'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { waitForLock } from '../test/locks.ts'
import { setSiblingPriceRule } from './prices/prices.ts'

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
    await tx.insert(guardianships).values(
      children.map(({ id }) => ({
        guardian_id: payer,
        student_id: id,
        pays: true,
        since: '2026-01-01T00:00:00Z',
      })),
    )
  })
  // A session that nobody used for 30 days has ended.
  let client = server.clientFor(sensei.token)
  const goTo = async (moment: string) => {
    setClock(moment)
    client = server.clientFor(await signInAs(server.db, sensei.id))
    return client
  }
  const [mia, ana, leo] = children as [
    (typeof children)[0],
    (typeof children)[0],
    (typeof children)[0],
  ]
  const reducedPrices = async (month = 2, year = 2027) =>
    Object.fromEntries(
      (await client.get(`/sibling-prices/students?month=${month}&year=${year}`)).body.map(
        ({
          student_id,
          amount,
          reason,
        }: {
          student_id: string
          amount: number
          reason: string
        }) => [children.find(({ id }) => id === student_id)!.name, `${amount} ${reason}`],
      ),
    )
  const pay = (student: { id: string }, changes: object = {}) =>
    client.post('/payment-records', {
      student_id: student.id,
      payment_month: 2,
      payment_year: 2027,
      payment_status: 'paid',
      ...changes,
    })
  const update = (student: { id: string }, change: object) =>
    client.put(`/students/${student.id}`, { ...student, ...change })
  return { sensei, payer, mia, ana, leo, goTo, reduced: reducedPrices, pay, update }
}

test('starts without reductions, and sets and removes them', async () => {
  const sensei = await server.createSensei()
  expect((await sensei.get('/sibling-prices')).body).toEqual({
    ordered_by: 'highest_fee',
    prices: [],
  })
  const rule = {
    ordered_by: 'enrolled_first',
    prices: [{ nth: 2, percent: null, amount_off: 12.5 }],
  }
  expect((await sensei.put('/sibling-prices', rule)).body).toEqual(rule)
  expect((await sensei.put('/sibling-prices', TEN_TWENTY)).body).toEqual(TEN_TWENTY)
  const noRule = { ordered_by: 'highest_fee', prices: [] }
  expect([
    (await sensei.put('/sibling-prices', noRule)).body,
    (await sensei.get('/sibling-prices')).body,
  ]).toEqual([noRule, noRule])
})

test('keeps the later of two rules that are saved at the same time', async () => {
  const sensei = await server.createSensei()
  const ruleSaved = Promise.withResolvers<void>(),
    later = Promise.withResolvers<void>()
  const first = server.db.inDojo(sensei.dojoId, async (tx) => {
    await setSiblingPriceRule(tx, { ...sensei, role: 'instructor' } as never, TEN_TWENTY as never)
    ruleSaved.resolve()
    await later.promise
  })
  await ruleSaved.promise
  const rule = {
    ordered_by: 'enrolled_first',
    prices: [{ nth: 2, percent: null, amount_off: 12.5 }],
  }
  const second = sensei.put('/sibling-prices', rule)
  await waitForLock(server.adminUrl)
  later.resolve()
  await first
  expect((await second).body).toEqual(rule)
})

describe('a family of three', () => {
  test('pays less for the second and third child', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, reduced } = await aFamily()
    expect(await reduced()).toEqual({})
    await sensei.put('/sibling-prices', TEN_TWENTY)
    expect(await reduced()).toEqual({
      'Ana Diaz': '90 2nd of 3: −10%',
      'Leo Diaz': '64 3rd of 3: −20%',
    })
    const fees = (await sensei.get('/students')).body.map(
      (record: { monthly_payment_amount: number }) => record.monthly_payment_amount,
    )
    expect(fees).toEqual([100, 80, 120])
  })

  test('records the reduced amount with its reason, unless the request has another amount', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, leo, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    expect((await pay(mia)).body).toMatchObject({ monthly_payment_amount: 120, price_reason: null })
    expect((await pay(ana, { monthly_payment_amount: 100 })).body).toMatchObject({
      monthly_payment_amount: 90,
      price_reason: '2nd of 3: −10%',
    })
    expect((await pay(leo, { monthly_payment_amount: 50 })).body).toMatchObject({
      monthly_payment_amount: 50,
      price_reason: null,
    })
    expect((await sensei.get('/payment-statistics?month=2&year=2027')).body).toMatchObject({
      monthly_revenue: 260,
    })
  })

  test('keeps the price of a recorded month', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, ana, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await pay(ana)
    await sensei.put('/sibling-prices', { ...TEN_TWENTY, prices: [{ nth: 2, percent: 50 }] })
    expect((await sensei.get('/payment-records?month=2&year=2027')).body).toMatchObject([
      { monthly_payment_amount: 90, price_reason: '2nd of 3: −10%' },
    ])
  })

  const ALL_THREE = { 'Ana Diaz': '90 2nd of 3: −10%', 'Leo Diaz': '64 3rd of 3: −20%' },
    WITHOUT_MIA = { 'Leo Diaz': '72 2nd of 2: −10%' }
  const [FEBRUARY, MARCH, APRIL, MAY, JUNE] = [1, 2, 3, 4, 5]

  test('counts one child fewer from the month after a vacation begins', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, goTo, reduced, update, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await goTo('2027-04-05T15:00:00Z')
    await update(mia, { on_vacation: true })
    expect(await reduced(MARCH)).toEqual(ALL_THREE)
    expect(await reduced(APRIL)).toEqual(ALL_THREE)
    expect(await reduced(MAY)).toEqual(WITHOUT_MIA)
    // Paid in April for April: as it was when the month began.
    expect((await pay(mia, { payment_month: APRIL })).body).toMatchObject({
      monthly_payment_amount: 120,
    })
    await goTo('2027-05-05T15:00:00Z')
    expect([await reduced(APRIL), await reduced(MAY), await reduced(JUNE)]).toEqual([
      ALL_THREE,
      WITHOUT_MIA,
      WITHOUT_MIA,
    ])
    await update(mia, { on_vacation: false })
    expect([await reduced(APRIL), await reduced(MAY), await reduced(JUNE)]).toEqual([
      ALL_THREE,
      ALL_THREE,
      ALL_THREE,
    ])
  })

  test('counts one child fewer in months of vacation, but not in past or paid ones', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, leo, goTo, reduced, pay } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await pay(leo)
    await sensei.put(`/students/${mia.id}/vacation`, {
      vacation_from: '2027-03-20',
      vacation_until: '2027-05-15',
    })
    const months = () =>
      Promise.all([FEBRUARY, MARCH, APRIL, MAY, JUNE].map((month) => reduced(month)))
    const plannedOrders = [{}, ALL_THREE, WITHOUT_MIA, ALL_THREE, ALL_THREE]
    expect(await months()).toEqual(plannedOrders)
    // It begins and ends by itself, and says the same on every day of it.
    for (const day of ['2027-03-25', '2027-04-10']) {
      await goTo(`${day}T15:00:00Z`)
      await server.db.inDojo(sensei.dojoId, (tx) => updateVacations(tx, sensei.dojoId, day))
      expect(await months()).toEqual(plannedOrders)
    }
    expect((await pay(ana, { payment_month: APRIL })).body).toMatchObject({
      monthly_payment_amount: 100,
      price_reason: null,
    })
    const now = await goTo('2027-05-20T15:00:00Z')
    await server.db.inDojo(sensei.dojoId, (tx) => updateVacations(tx, sensei.dojoId, '2027-05-20'))
    expect(await months()).toEqual([{}, ALL_THREE, ALL_THREE, ALL_THREE, ALL_THREE])
    // What was paid stays as it was recorded.
    const recordedPrice = async (month: number) =>
      (await now.get(`/payment-records?month=${month}&year=2027`)).body
    expect(await recordedPrice(MARCH)).toMatchObject([
      { student_id: leo.id, monthly_payment_amount: 64, price_reason: '3rd of 3: −20%' },
    ])
    expect(await recordedPrice(APRIL)).toMatchObject([
      { student_id: ana.id, monthly_payment_amount: 100, price_reason: null },
    ])
  })

  test('does not change past months when a vacation is entered late', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, goTo, reduced } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    const now = await goTo('2027-05-20T15:00:00Z')
    await now.put(`/students/${mia.id}/vacation`, {
      vacation_from: '2027-03-15',
      vacation_until: null,
    })
    expect([await reduced(MARCH), await reduced(APRIL), await reduced(JUNE)]).toEqual([
      ALL_THREE,
      ALL_THREE,
      WITHOUT_MIA,
    ])
  })

  test('counts a student as away whose vacation has no first day', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, reduced, update } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await update(mia, { on_vacation: true })
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute('update students set vacation_from = null'),
    )
    expect([await reduced(FEBRUARY), await reduced(MARCH)]).toEqual([{}, WITHOUT_MIA])
  })

  test('does not count students who are exempt, on trial, without payer or enrolled later', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, reduced, update } = await aFamily()
    await sensei.put('/sibling-prices', TEN_TWENTY)
    await update(mia, { sibling_exempt: true, price_note: 'Helps in the kids’ class' })
    expect(await reduced()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10%' })
    await update(ana, { is_trial: true })
    expect(await reduced()).toEqual({})
    await update(mia, { sibling_exempt: false })
    expect(await reduced()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10%' })
    expect(await reduced(1)).toEqual({})
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.update(guardianships).set({ ended_at: '2027-03-11T00:00:00Z' })
    })
    expect(await reduced()).toEqual({})
  })

  test('lowers the amounts on the dashboard', async () => {
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
