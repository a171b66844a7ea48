import { describe, expect, test } from 'vitest'
import { exampleStudent } from '../test/fixtures.ts'
import { createLedgerDojo, APRIL, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('deleting a student changes the siblings’ prices from next month on', async () => {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 100 },
    { name: 'Leo Diaz', monthly_payment_amount: 90 },
  )
  const ids = [dojo.id(0), dojo.id(1)]
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: ids.map((student_id) => ({ student_id, pays: true, sees_fees: true })),
  })
  const prices = [{ nth: 2, percent: 50, amount_off: null }]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  await dojo.mark('paid', { monthly_payment_amount: 100 })
  const readLeosDebt = async (month: number) =>
    (await dojo.dues(month)).find(({ student_id }) => student_id === dojo.id(1))?.owed
  expect(await readLeosDebt(MARCH)).toBe(45)
  const client = server.clientFor(dojo.sensei.token)
  expect((await client.delete(`/students/${dojo.id(0)}`)).status).toBe(200)
  expect([await readLeosDebt(MARCH), await readLeosDebt(APRIL)]).toEqual([45, 90])
  await dojo.moveClockTo('2027-04-10T18:00:00Z')
  expect([await readLeosDebt(MARCH), await readLeosDebt(APRIL)]).toEqual([45, 90])
})

test('a sibling who pays nothing this month still pays nothing after the deletion', async () => {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 100 },
    { name: 'Leo Diaz', monthly_payment_amount: 90 },
    { name: 'Mia Diaz', monthly_payment_amount: 80 },
  )
  const ids = [dojo.id(0), dojo.id(1), dojo.id(2)]
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: ids.map((student_id) => ({ student_id, pays: true, sees_fees: true })),
  })
  const prices = [
    { nth: 2, percent: 50, amount_off: null },
    { nth: 3, percent: 100, amount_off: null },
  ]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  const readOwed = async (month: number) => {
    const dues = await dojo.dues(month)
    return ids.flatMap((id, index) => {
      const due = dues.find(({ student_id }) => student_id === id)
      return due ? [[index, due.owed]] : []
    })
  }
  expect(await readOwed(MARCH)).toEqual([
    [0, 100],
    [1, 45],
  ])
  const client = server.clientFor(dojo.sensei.token)
  expect((await client.delete(`/students/${dojo.id(0)}`)).status).toBe(200)
  const APRIL_DUES = [
    [1, 90],
    [2, 40],
  ]
  expect([await readOwed(MARCH), await readOwed(APRIL)]).toEqual([[[1, 45]], APRIL_DUES])
  expect(await dojo.statistics(MARCH)).toMatchObject({
    total_paid_this_month: 0,
    total_yet_to_pay: 1,
  })
  await dojo.moveClockTo('2027-04-10T18:00:00Z')
  expect([await readOwed(MARCH), await readOwed(APRIL)]).toEqual([[[1, 45]], APRIL_DUES])
})

describe('a month that was marked paid before a sibling is deleted', () => {
  const FEES = [100, 90, 60]

  /** `percent` is the discount of the third sibling. */
  async function createFamily({ percent }: { percent: number }) {
    const dojo = await createLedgerDojo(
      server,
      { name: 'Ana Diaz', monthly_payment_amount: FEES[0] },
      { name: 'Leo Diaz', monthly_payment_amount: FEES[1] },
      { name: 'Mia Diaz', monthly_payment_amount: FEES[2] },
    )
    const ids = [dojo.id(0), dojo.id(1), dojo.id(2)]
    await server.createGuardian(dojo.sensei, [], {
      name: 'Rosa Diaz',
      phone: '(512) 555-0177',
      students: ids.map((student_id) => ({ student_id, pays: true, sees_fees: true })),
    })
    const prices = [
      { nth: 2, percent: 10, amount_off: null },
      { nth: 3, percent, amount_off: null },
    ]
    await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
    const client = server.clientFor(dojo.sensei.token)
    const deleteLeo = async () =>
      expect((await client.delete(`/students/${dojo.id(1)}`)).status).toBe(200)
    const markAll = (payment_status: 'paid' | 'unpaid') =>
      dojo.post('/payment-records/marks', {
        marks: ids.map((student_id) => ({
          student_id,
          payment_month: MARCH,
          payment_year: 2027,
          payment_status,
        })),
      })
    /** Returns what Ana and Mia owe. */
    const readOwed = async (month: number) => {
      const dues = await dojo.dues(month)
      return [0, 2].map((index) => dues.find((due) => due.student_id === dojo.id(index))?.owed ?? 0)
    }
    return { ...dojo, deleteLeo, markAll, readOwed }
  }

  test.each([
    [100, 0],
    [50, 30],
  ])(
    'keeps a price with a discount of %d %% when the marks are undone and redone',
    async (percent, price) => {
      const { deleteLeo, markAll, readOwed, undo } = await createFamily({ percent })
      const marks = await markAll('paid')
      await deleteLeo()
      const undoReply = await undo(marks)
      expect(undoReply.status).toBe(200)
      expect([await readOwed(MARCH), await readOwed(APRIL)]).toEqual([
        [100, price],
        [100, 54],
      ])
      expect((await undo(undoReply)).status).toBe(200)
      expect(await readOwed(MARCH)).toEqual([0, 0])
      expect((await undo(undoReply)).status).toBe(409)
    },
  )

  test('keeps its price when it is marked unpaid', async () => {
    const { deleteLeo, moveClockTo, mark, markAll, readOwed } = await createFamily({ percent: 50 })
    await markAll('paid')
    await deleteLeo()
    const { body: record } = await mark('unpaid', { monthly_payment_amount: 60 }, 2)
    expect(record).toMatchObject({
      monthly_payment_amount: 30,
      price_reason: '3rd of 3: −50%',
    })
    expect(await readOwed(MARCH)).toEqual([0, 30])
    await moveClockTo('2027-04-10T18:00:00Z')
    expect([await readOwed(MARCH), await readOwed(APRIL)]).toEqual([
      [0, 30],
      [100, 54],
    ])
  })

  test('keeps its price when it is reset, or when a partial payment is undone', async () => {
    const { deleteLeo, markAll, readOwed, pay, post, undo } = await createFamily({ percent: 50 })
    await markAll('paid')
    const reset = { payment_month: MARCH, payment_year: 2027 }
    await post('/reset-monthly-payments', reset)
    const partialPayment = await pay(10, {}, 2)
    await deleteLeo()
    expect(await readOwed(MARCH)).toEqual([100, 20])
    await undo(partialPayment)
    expect(await readOwed(MARCH)).toEqual([100, 30])
  })

  test('follows a lower fee, and a higher fee that starts this month', async () => {
    const { deleteLeo, id, readOwed, put, students } = await createFamily({ percent: 50 })
    await deleteLeo()
    const changeFee = (fee: number, changes: object = {}) =>
      put(
        `/students/${id(2)}`,
        exampleStudent({
          ...students[2],
          class_preferences: ['saturday'],
          monthly_payment_amount: fee,
          ...changes,
        }),
      )
    await changeFee(70, { fee_from: 'next_month' })
    expect([await readOwed(MARCH), await readOwed(APRIL)]).toEqual([
      [100, 30],
      [100, 63],
    ])
    await changeFee(20)
    expect(await readOwed(MARCH)).toEqual([100, 20])
    await changeFee(40, { fee_from: 'this_month' })
    expect(await readOwed(MARCH)).toEqual([100, 36])
  })
})
