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
const SIBLING_RULE = {
  ordered_by: 'highest_fee',
  prices: [
    { nth: 2, percent: 10, amount_off: null },
    { nth: 3, percent: 20, amount_off: null },
  ],
}

/** A mother pays monthly fees for three children: $120 for Mia, $100 for Ana and $80 for Leo. */
async function createFamily() {
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
  // A session ends after 30 days without use, so each jump in time needs a new one.
  let client = server.clientFor(sensei.token)
  const moveClockTo = async (moment: string) => {
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
  return { sensei, payer, mia, ana, leo, moveClockTo, reducedPrices, pay, update }
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
  expect((await sensei.put('/sibling-prices', SIBLING_RULE)).body).toEqual(SIBLING_RULE)
  const noRule = { ordered_by: 'highest_fee', prices: [] }
  expect([
    (await sensei.put('/sibling-prices', noRule)).body,
    (await sensei.get('/sibling-prices')).body,
  ]).toEqual([noRule, noRule])
})

test('keeps the later of two rules that are saved at the same time', async () => {
  const sensei = await server.createSensei()
  const ruleSaved = Promise.withResolvers<void>(),
    releaseLock = Promise.withResolvers<void>()
  const firstSave = server.db.inDojo(sensei.dojoId, async (tx) => {
    await setSiblingPriceRule(tx, { ...sensei, role: 'instructor' } as never, SIBLING_RULE as never)
    ruleSaved.resolve()
    await releaseLock.promise
  })
  await ruleSaved.promise
  const rule = {
    ordered_by: 'enrolled_first',
    prices: [{ nth: 2, percent: null, amount_off: 12.5 }],
  }
  const secondSave = sensei.put('/sibling-prices', rule)
  await waitForLock(server.adminUrl)
  releaseLock.resolve()
  await firstSave
  expect((await secondSave).body).toEqual(rule)
})

describe('a family of three', () => {
  test('pays less for the second and third child', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, reducedPrices } = await createFamily()
    expect(await reducedPrices()).toEqual({})
    await sensei.put('/sibling-prices', SIBLING_RULE)
    expect(await reducedPrices()).toEqual({
      'Ana Diaz': '90 2nd of 3: −10%',
      'Leo Diaz': '64 3rd of 3: −20%',
    })
    const fees = (await sensei.get('/students')).body.map(
      (record: { monthly_payment_amount: number }) => record.monthly_payment_amount,
    )
    expect(fees).toEqual([100, 80, 120])
  })

  test('records the reduced amount and its reason, unless the request has another', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, leo, pay } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
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
    const { sensei, ana, pay } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    await pay(ana)
    await sensei.put('/sibling-prices', { ...SIBLING_RULE, prices: [{ nth: 2, percent: 50 }] })
    expect((await sensei.get('/payment-records?month=2&year=2027')).body).toMatchObject([
      { monthly_payment_amount: 90, price_reason: '2nd of 3: −10%' },
    ])
  })

  const ALL_THREE = { 'Ana Diaz': '90 2nd of 3: −10%', 'Leo Diaz': '64 3rd of 3: −20%' },
    WITHOUT_MIA = { 'Leo Diaz': '72 2nd of 2: −10%' }
  const [FEBRUARY, MARCH, APRIL, MAY, JUNE] = [1, 2, 3, 4, 5]

  test('counts one child fewer from the month after a vacation begins', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, moveClockTo, reducedPrices, update, pay } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    await moveClockTo('2027-04-05T15:00:00Z')
    await update(mia, { on_vacation: true })
    expect(await reducedPrices(MARCH)).toEqual(ALL_THREE)
    expect(await reducedPrices(APRIL)).toEqual(ALL_THREE)
    expect(await reducedPrices(MAY)).toEqual(WITHOUT_MIA)
    // A payment in April uses the price that April had when it began.
    expect((await pay(mia, { payment_month: APRIL })).body).toMatchObject({
      monthly_payment_amount: 120,
    })
    await moveClockTo('2027-05-05T15:00:00Z')
    expect([
      await reducedPrices(APRIL),
      await reducedPrices(MAY),
      await reducedPrices(JUNE),
    ]).toEqual([ALL_THREE, WITHOUT_MIA, WITHOUT_MIA])
    await update(mia, { on_vacation: false })
    expect([
      await reducedPrices(APRIL),
      await reducedPrices(MAY),
      await reducedPrices(JUNE),
    ]).toEqual([ALL_THREE, ALL_THREE, ALL_THREE])
  })

  test('counts one child fewer in months of vacation, but not in past or paid ones', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, leo, moveClockTo, reducedPrices, pay } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    await pay(leo)
    await sensei.put(`/students/${mia.id}/vacation`, {
      vacation_from: '2027-03-20',
      vacation_until: '2027-05-15',
    })
    const pricesByMonth = () =>
      Promise.all([FEBRUARY, MARCH, APRIL, MAY, JUNE].map((month) => reducedPrices(month)))
    const plannedPrices = [{}, ALL_THREE, WITHOUT_MIA, ALL_THREE, ALL_THREE]
    expect(await pricesByMonth()).toEqual(plannedPrices)
    // The vacation begins automatically, and the prices stay the same.
    for (const day of ['2027-03-25', '2027-04-10']) {
      await moveClockTo(`${day}T15:00:00Z`)
      await server.db.inDojo(sensei.dojoId, (tx) => updateVacations(tx, sensei.dojoId, day))
      expect(await pricesByMonth()).toEqual(plannedPrices)
    }
    expect((await pay(ana, { payment_month: APRIL })).body).toMatchObject({
      monthly_payment_amount: 100,
      price_reason: null,
    })
    const client = await moveClockTo('2027-05-20T15:00:00Z')
    await server.db.inDojo(sensei.dojoId, (tx) => updateVacations(tx, sensei.dojoId, '2027-05-20'))
    expect(await pricesByMonth()).toEqual([{}, ALL_THREE, ALL_THREE, ALL_THREE, ALL_THREE])
    // Paid months keep their recorded price.
    const recordedPrice = async (month: number) =>
      (await client.get(`/payment-records?month=${month}&year=2027`)).body
    expect(await recordedPrice(MARCH)).toMatchObject([
      { student_id: leo.id, monthly_payment_amount: 64, price_reason: '3rd of 3: −20%' },
    ])
    expect(await recordedPrice(APRIL)).toMatchObject([
      { student_id: ana.id, monthly_payment_amount: 100, price_reason: null },
    ])
  })

  test('does not change past months when a vacation is entered late', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, moveClockTo, reducedPrices } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    const client = await moveClockTo('2027-05-20T15:00:00Z')
    await client.put(`/students/${mia.id}/vacation`, {
      vacation_from: '2027-03-15',
      vacation_until: null,
    })
    expect([
      await reducedPrices(MARCH),
      await reducedPrices(APRIL),
      await reducedPrices(JUNE),
    ]).toEqual([ALL_THREE, ALL_THREE, WITHOUT_MIA])
  })

  test('counts a student as away if the vacation has no first day', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, reducedPrices, update } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    await update(mia, { on_vacation: true })
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute('update students set vacation_from = null'),
    )
    expect([await reducedPrices(FEBRUARY), await reducedPrices(MARCH)]).toEqual([{}, WITHOUT_MIA])
  })

  test('skips students who are exempt, on trial, enrolled later or without a payer', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, mia, ana, reducedPrices, update } = await createFamily()
    await sensei.put('/sibling-prices', SIBLING_RULE)
    await update(mia, { sibling_exempt: true, price_note: 'Helps in the kids’ class' })
    expect(await reducedPrices()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10%' })
    await update(ana, { is_trial: true })
    expect(await reducedPrices()).toEqual({})
    await update(mia, { sibling_exempt: false })
    expect(await reducedPrices()).toEqual({ 'Leo Diaz': '72 2nd of 2: −10%' })
    expect(await reducedPrices(FEBRUARY)).toEqual({})
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.update(guardianships).set({ ended_at: '2027-03-11T00:00:00Z' })
    })
    expect(await reducedPrices()).toEqual({})
  })

  test('lowers the amounts on the dashboard', async () => {
    setClock('2027-03-10T15:00:00Z')
    const { sensei, ana, mia, pay } = await createFamily()
    const marchPayments = async () =>
      (await sensei.get('/dashboard/analytics')).body.payments.at(-1)
    expect(await marchPayments()).toEqual({ month: '2027-03-01', expected: 300, received: 0 })
    await sensei.put('/sibling-prices', SIBLING_RULE)
    expect(await marchPayments()).toEqual({ month: '2027-03-01', expected: 274, received: 0 })
    await pay(ana)
    await pay(mia)
    expect(await marchPayments()).toEqual({ month: '2027-03-01', expected: 274, received: 210 })
  })
})
