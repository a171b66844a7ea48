import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createDojo() {
  setClock('2026-03-05T18:00:00Z')
  const sensei = await server.createSensei()
  const ken = await server.createStudent(sensei, { name: 'Ken Adams', monthly_payment_amount: 100 })
  const pay = (amount: number, method: string, changes: object = {}) =>
    sensei.post('/payments', { student_id: ken.id, amount, method, ...changes })
  const readDay = async (date = '2026-03-05') =>
    (await sensei.get(`/cash-counts?date=${date}`)).body
  return { sensei, ken, pay, readDay }
}

test('shows the money of a day by method and by instructor', async () => {
  const { sensei, ken, pay, readDay } = await createDojo()
  await pay(60.1, 'cash')
  await pay(40.2, 'cash')
  await pay(10, 'card')
  await pay(5, 'cash', { received_on: '2026-03-04' })
  await sensei.post('/refunds', { student_id: ken.id, amount: 15.3, method: 'cash' })
  expect((await sensei.get('/cash-counts')).body).toEqual({
    date: '2026-03-05',
    methods: [
      {
        method: 'cash',
        received: 100.3,
        given_back: 15.3,
        people: [{ name: 'Aiko Tanaka', received: 100.3, given_back: 15.3 }],
      },
      {
        method: 'card',
        received: 10,
        given_back: 0,
        people: [{ name: 'Aiko Tanaka', received: 10, given_back: 0 }],
      },
    ],
    expected_cash: 85,
    count: null,
  })
  expect(await readDay('2026-03-04')).toMatchObject({ expected_cash: 5 })
  expect(await readDay('2026-03-03')).toEqual({
    date: '2026-03-03',
    methods: [],
    expected_cash: 0,
    count: null,
  })
})

test('counts an undo on the day of the undo', async () => {
  const { sensei, pay, readDay } = await createDojo()
  const { body: undonePayment } = await pay(60, 'cash')
  await sensei.post(`/ledger-acts/${undonePayment.act_id}/undo`)
  expect(await readDay()).toMatchObject({
    expected_cash: 0,
    methods: [{ method: 'cash', received: 0, given_back: 0 }],
  })
  const { body: keptPayment } = await pay(70, 'cash')
  setClock('2026-03-06T18:00:00Z')
  await sensei.post(`/ledger-acts/${keptPayment.act_id}/undo`)
  expect([(await readDay()).expected_cash, (await readDay('2026-03-06')).expected_cash]).toEqual([
    70, -70,
  ])
})

test('stores the difference at the time of the count', async () => {
  const { sensei, pay, readDay } = await createDojo()
  await pay(60, 'cash')
  const countedReply = await sensei.put('/cash-counts/2026-03-05', {
    counted: 55.5,
    note: 'A coin roll is missing',
  })
  const count = {
    counted: 55.5,
    expected: 60,
    difference: -4.5,
    note: 'A coin roll is missing',
    counted_at: '2026-03-05T18:00:00.000Z',
    counted_by: 'Aiko Tanaka',
  }
  expect([
    countedReply.status,
    { ...countedReply.body.count, counted_at: count.counted_at },
  ]).toEqual([200, count])
  await pay(10, 'cash')
  expect(await readDay()).toMatchObject({
    expected_cash: 70,
    count: { expected: 60, difference: -4.5 },
  })
  expect((await sensei.put('/cash-counts/2026-03-05', { counted: 70 })).body.count).toMatchObject({
    difference: 0,
    note: null,
  })
})

test('refuses an invalid day or amount, and changes nothing', async () => {
  const { sensei, readDay } = await createDojo()
  expect((await sensei.put('/cash-counts/today', { counted: 5 })).status).toBe(404)
  expect((await sensei.put('/cash-counts/2026-03-05', { counted: -5 })).body.detail).toBe(
    'Counted cash must be 0 or more',
  )
  expect((await sensei.put('/cash-counts/2026-03-05', {})).body.detail).toBe(
    'Counted cash is required',
  )
  expect((await sensei.get('/cash-counts?date=soon')).status).toBe(422)
  expect((await readDay()).count).toBeNull()
})

test('accepts a count of more than a million dollars', async () => {
  const { sensei, pay, readDay } = await createDojo()
  for (const amount of [1_000_000, 999_999.99, 0.11]) await pay(amount, 'cash')
  const { expected_cash } = await readDay()
  expect(expected_cash).toBe(2_000_000.1)
  const storeCount = (countedCash: number) =>
    sensei.put('/cash-counts/2026-03-05', { counted: countedCash })
  expect((await storeCount(expected_cash)).body.count).toMatchObject({ difference: 0 })
  expect((await storeCount(123_456_789.12)).body.count).toMatchObject({ counted: 123_456_789.12 })
  expect((await storeCount(123_456_789.123)).body.detail).toBe(
    'Counted cash must have at most two decimal places',
  )
  expect((await storeCount(2_000_000_000_000)).body.detail).toBe(
    'Counted cash must be at most 1,000,000,000,000',
  )
})
