import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { createLedgerDojo, APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = (...people: object[]) => createLedgerDojo(server, ...people)

describe('Undo', () => {
  test('undoes an act once, and can undo the undo', async () => {
    const { account, pay, records, undo, post } = await createDojo({})
    const paymentReply = await pay(130)
    const undoReply = await undo(paymentReply)
    expect(undoReply.body).toMatchObject({ total: -130, lines: 3 })
    expect([(await account()).balance, (await records())[0]]).toMatchObject([
      100,
      { payment_status: 'unpaid' },
    ])
    expect((await undo(paymentReply)).body.detail).toBe('This was already undone')
    const redoneReply = await undo(undoReply)
    expect([await account(), (await records())[0]]).toMatchObject([
      { balance: -30, credit: 30 },
      { payment_status: 'paid', monthly_payment_amount: 100 },
    ])
    expect((await undo(paymentReply)).status).toBe(409)
    expect((await undo(redoneReply)).body).toMatchObject({ total: -130, lines: 3 })
    expect((await post(`/ledger-acts/${newId()}/undo`)).body.detail).toBe('Act not found')
  })

  test('takes credit back from the charges that it has paid since', async () => {
    const { account, moveClockTo, pay, records, undo } = await createDojo({})
    const paymentReply = await pay(250)
    await moveClockTo('2027-05-01T18:00:00Z')
    expect(await account()).toMatchObject({ balance: 50, credit: 0 })
    await undo(paymentReply)
    expect(await account()).toMatchObject({ balance: 300, credit: 0 })
    expect(await records(APRIL)).toMatchObject([{ payment_status: 'unpaid' }])
  })

  test('keeps a second payment, and an ended month stays owed', async () => {
    const { account, pay, undo, moveClockTo } = await createDojo({}, {})
    const firstReply = await pay(60)
    await pay(40)
    await undo(firstReply)
    expect(await account()).toMatchObject({ balance: 60, credit: 40 })
    const laterReply = await pay(100, {}, 1)
    await moveClockTo('2027-04-10T18:00:00Z')
    await undo(laterReply)
    expect(chargeRows(await account(1))).toEqual([
      [MARCH, 100, 100],
      [APRIL, 100, 100],
    ])
  })

  test('leaves nothing owed for an ended month for which nothing was due', async () => {
    const { account, get, moveClockTo, id, mark, put, undo } = await createDojo({ is_trial: true })
    await moveClockTo('2027-04-02T18:00:00Z')
    const { student } = (await get(`/students/${id()}`)).body
    await put(`/students/${id()}`, { ...student, is_trial: false })
    const paymentReply = await mark('paid')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 100, 0],
      [APRIL, 100, 100],
    ])
    await undo(paymentReply)
    expect(chargeRows(await account())).toEqual([[APRIL, 100, 100]])
    expect((await account()).balance).toBe(100)
  })

  test('leaves nothing owed for a month paid in advance if the student was away', async () => {
    const { account, moveClockTo, id, mark, put, undo } = await createDojo({})
    await mark('paid')
    const paymentReply = await mark('paid', { payment_month: APRIL })
    await put(`/students/${id()}/vacation`, {
      vacation_from: '2027-04-01',
      vacation_until: '2027-05-03',
    })
    await moveClockTo('2027-05-04T18:00:00Z')
    await undo(paymentReply)
    expect(chargeRows(await account())).toEqual([
      [MARCH, 100, 0],
      [APRIL + 1, 100, 100],
    ])
  })

  test('refuses an act that later acts depend on, and automatic changes', async () => {
    const { account, moveClockTo, id, mark, pay, post, undo } = await createDojo({}, {}, {})
    const paymentReply = await pay(50)
    await mark('paid', { monthly_payment_amount: 30 })
    const refusal = await undo(paymentReply)
    expect([refusal.status, refusal.body.detail]).toEqual([
      409,
      'Something later depends on this. Please undo that first.',
    ])
    const otherReply = await pay(100, {}, 1)
    const { id: charge_id } = (await account(1)).charges[0]!
    await post('/refunds', { student_id: id(1), charge_id, amount: 20 })
    expect((await undo(otherReply)).status).toBe(409)
    await moveClockTo('2027-04-02T18:00:00Z')
    const scheduledLine = (await account(2)).lines[0]!
    expect([scheduledLine.created_by, (await undo({ body: scheduledLine })).body.detail]).toEqual([
      null,
      'Automatic changes cannot be undone',
    ])
  })
})
