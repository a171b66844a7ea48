import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import {
  createLedgerDojo,
  APRIL,
  chargeRows,
  FEBRUARY,
  lineRows,
  MARCH,
} from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = (...people: object[]) => createLedgerDojo(server, ...people)

describe('Mark Paid', () => {
  test('pays what is left, and uses a different amount as the month’s total price', async () => {
    const { account, moveClockTo, mark, pay, records } = await createDojo({})
    await moveClockTo('2027-04-10T18:00:00Z')
    await pay(30)
    expect((await mark('paid')).body).toMatchObject({
      payment_status: 'paid',
      monthly_payment_amount: 100,
      act_id: expect.any(String),
    })
    await pay(20, { toward: { month: APRIL, year: 2027 } })
    expect(
      (await mark('paid', { payment_month: APRIL, monthly_payment_amount: 50 })).body
        .monthly_payment_amount,
    ).toBe(50)
    expect(lineRows(await account())).toEqual([
      ['charge', 100],
      ['payment', -30],
      ['payment', -70],
      ['charge', 100],
      ['payment', -20],
      ['charge', -50],
      ['payment', -30],
    ])
    expect([await records(), await records(APRIL)]).toMatchObject([
      [{ monthly_payment_amount: 100 }],
      [{ monthly_payment_amount: 50 }],
    ])
  })

  test('counts a partial payment once when the amount is the fee', async () => {
    const { account, mark, pay, statistics, undo } = await createDojo({
      monthly_payment_amount: 99.5,
    })
    await pay(50)
    const markedReply = await mark('paid', { monthly_payment_amount: 99.5 })
    expect(markedReply.body).toMatchObject({ payment_status: 'paid', monthly_payment_amount: 99.5 })
    expect(lineRows(await account())).toEqual([
      ['charge', 99.5],
      ['payment', -50],
      ['payment', -49.5],
    ])
    expect(await statistics()).toMatchObject({ total_paid_this_month: 1, monthly_revenue: 99.5 })
    await undo(markedReply)
    expect((await account()).balance).toBe(49.5)
  })

  test('turns a surplus into credit, which Mark Unpaid takes back', async () => {
    const { account, mark, pay, statistics } = await createDojo({})
    await pay(50)
    await mark('paid', { monthly_payment_amount: 30 })
    expect(await account()).toMatchObject({ balance: -20, credit: 20 })
    expect(await statistics()).toMatchObject({ monthly_revenue: 30 })
    await mark('unpaid')
    expect(await account()).toMatchObject({ balance: 100, credit: 0 })
  })

  test.each([
    ['a fee that was raised since', 120, 120, 100],
    ['a fee that was lowered since', 90, 90, 90],
    ['the price as it was charged', 120, 100, 100],
    ['more than the fee', 100, 130, 130],
    ['less than the fee', 100, 40, 40],
  ])('settles an ended month with %s', async (_, fee, sentAmount, recordedAmount) => {
    const { account, get, moveClockTo, id, mark, put } = await createDojo({})
    await moveClockTo('2027-04-10T18:00:00Z')
    const { student } = (await get(`/students/${id()}`)).body
    await put(`/students/${id()}`, { ...student, monthly_payment_amount: fee })
    const markedReply = await mark('paid', { monthly_payment_amount: sentAmount })
    expect(markedReply.body.monthly_payment_amount).toBe(recordedAmount)
    expect(chargeRows(await account())[0]).toEqual([MARCH, recordedAmount, 0])
  })

  test('does not charge a forgiven amount again when the amount is the fee', async () => {
    const { account, moveClockTo, mark, pay, post, id } = await createDojo({})
    await moveClockTo('2027-04-10T18:00:00Z')
    await pay(30)
    const charge_id = (await account()).charges[0]!.id
    await post(`/charges/${charge_id}/write-off`)
    await post('/refunds', { student_id: id(), charge_id, amount: 10 })
    const markedReply = await mark('paid', { monthly_payment_amount: 100 })
    expect(markedReply.body.monthly_payment_amount).toBe(30)
    expect(chargeRows(await account())[0]).toEqual([MARCH, 100, 0])
  })

  test('charges and pays for a student on trial, and Mark Unpaid undoes both', async () => {
    const { account, balances, mark, records } = await createDojo({ is_trial: true })
    await mark('paid')
    expect(lineRows(await account())).toEqual([
      ['charge', 100],
      ['payment', -100],
    ])
    await mark('unpaid')
    expect([await balances(), (await account()).charges, (await records()).length]).toEqual([
      [],
      [],
      1,
    ])
  })

  test('marks several students in one act, all or none', async () => {
    const { account, post, records, students, undo } = await createDojo(
      ...Array.from({ length: 10 }, () => ({})),
    )
    const marks = students.map(({ id: student_id }) => ({
      student_id,
      payment_month: MARCH,
      payment_year: 2027,
      payment_status: 'paid',
    }))
    const refusedMarks = await post('/payment-records/marks', {
      marks: [...marks, { ...marks[0], student_id: newId() }],
    })
    expect([refusedMarks.status, refusedMarks.body.detail, await records()]).toEqual([
      404,
      'Student not found',
      [],
    ])
    const allMarks = await post('/payment-records/marks', {
      marks,
      method: 'card',
      note: 'At the gate',
    })
    expect(allMarks.body).toMatchObject({ total: 1000, lines: 20 })
    expect(
      allMarks.body.records.map(({ student_id }: { student_id: string }) => student_id),
    ).toEqual(students.map((student) => student.id))
    expect((await account(3)).lines[0]).toMatchObject({
      method: 'card',
      note: 'At the gate',
      act_id: allMarks.body.act_id,
    })
    expect((await undo(allMarks)).body).toMatchObject({ total: -1000, lines: 20 })
    expect(
      (await records()).every(
        (record) => (record as { payment_status: string }).payment_status === 'unpaid',
      ),
    ).toBe(true)
    expect(
      (await post('/payment-records/marks', { marks: [marks[0], marks[0]] })).body.detail,
    ).toBe('A student can have one mark for a month')
  })
})

describe('Mark Unpaid and the monthly reset', () => {
  test('reverse all payments, and the month is owed again', async () => {
    const { account, moveClockTo, mark, pay, post, undo, statistics } = await createDojo({}, {})
    await pay(40)
    await pay(60)
    await mark('paid', {}, 1)
    await moveClockTo('2027-04-10T18:00:00Z')
    await mark('unpaid')
    expect(await account()).toMatchObject({ balance: 200, credit: 0 })
    const reset = await post('/reset-monthly-payments', {
      payment_month: MARCH,
      payment_year: 2027,
    })
    expect(reset.body).toMatchObject({ students_reset: 1, total_paying_students: 2, total: 100 })
    expect(chargeRows(await account(1))).toEqual([
      [MARCH, 100, 100],
      [APRIL, 100, 100],
    ])
    expect(await statistics()).toMatchObject({ total_paid_this_month: 0, monthly_revenue: 0 })
    await undo(reset)
    expect(await statistics()).toMatchObject({ total_paid_this_month: 1, monthly_revenue: 100 })
    await mark('paid', { payment_month: APRIL })
    await mark('unpaid', { payment_month: APRIL })
    expect((await account()).charges.at(-1)).toMatchObject({ id: null, month: APRIL, owed: 100 })
  })

  test('give back the credit that paid the month', async () => {
    const { account, moveClockTo, mark, pay } = await createDojo({})
    await pay(200)
    await moveClockTo('2027-04-01T18:00:00Z')
    expect(await account()).toMatchObject({ balance: 0, credit: 0 })
    await mark('unpaid', { payment_month: APRIL })
    expect(await account()).toMatchObject({ balance: 0, credit: 100 })
  })

  test('do not change a month that was only partly paid', async () => {
    const { account, mark, pay } = await createDojo({})
    await pay(40)
    expect((await mark('unpaid')).body).toMatchObject({ payment_status: 'unpaid', act_id: null })
    expect((await account()).balance).toBe(60)
  })

  test('leave nothing owed for an ended month that cost nothing', async () => {
    const { account, get, moveClockTo, id, mark, post, put } = await createDojo({
      monthly_payment_amount: 0,
    })
    await moveClockTo('2027-04-02T18:00:00Z')
    const { student } = (await get(`/students/${id()}`)).body
    await put(`/students/${id()}`, { ...student, monthly_payment_amount: 100 })
    await mark('paid')
    await mark('unpaid')
    expect(chargeRows(await account())).toEqual([[APRIL, 100, 100]])
    await mark('paid')
    await post('/reset-monthly-payments', { payment_month: MARCH, payment_year: 2027 })
    expect(chargeRows(await account())).toEqual([[APRIL, 100, 100]])
  })

  test('leave nothing owed for a month before the ledger began', async () => {
    const { account, mark } = await createDojo({})
    await mark('paid', { payment_month: FEBRUARY })
    await mark('unpaid', { payment_month: FEBRUARY })
    expect((await account()).balance).toBe(100)
  })
})
