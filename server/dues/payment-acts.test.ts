import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { waitForLock } from '../test/locks.ts'
import { lockStudents } from '../ledger/ledger.ts'
import { createLedgerDojo, APRIL, chargeRows, MARCH, MAY } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const [JUNE, JULY] = [5, 6]
const createDojo = (...people: object[]) => createLedgerDojo(server, ...people)

describe('a payment', () => {
  test('pays the named month, then the oldest debt, and keeps the rest as credit', async () => {
    const { account, balances, moveClockTo, id, pay, records } = await createDojo({})
    await moveClockTo('2027-05-10T18:00:00Z')
    await pay(100, { toward: { month: APRIL, year: 2027 } })
    expect(chargeRows(await account())).toEqual([
      [MARCH, 100, 100],
      [APRIL, 100, 0],
      [MAY, 100, 100],
    ])
    expect((await pay(350, { method: 'cheque' })).body).toMatchObject({ total: 350, lines: 4 })
    expect(await account()).toMatchObject({ balance: -150, credit: 150 })
    expect(await balances()).toEqual([{ student_id: id(), owed: 0, credit: 150, owed_since: null }])
    await moveClockTo('2027-06-01T18:00:00Z')
    expect(await records(JUNE)).toMatchObject([
      { payment_status: 'paid', monthly_payment_amount: 100 },
    ])
    expect(await account()).toMatchObject({ balance: -50, credit: 50 })
    await moveClockTo('2027-07-01T18:00:00Z')
    expect(chargeRows(await account()).at(-1)).toEqual([JULY, 100, 50])
    expect(await records(JULY)).toEqual([])
  })

  test('becomes credit for students who owe nothing, unless a month is named', async () => {
    const { account, pay } = await createDojo({ is_trial: true }, { monthly_payment_amount: 0 })
    await pay(30)
    expect(await account()).toMatchObject({ credit: 30, charges: [] })
    await pay(100, { toward: { month: MARCH, year: 2027 } })
    expect(chargeRows(await account())).toEqual([[MARCH, 100, 0]])
    await pay(40, { toward: { month: MARCH, year: 2027 } }, 1)
    expect(await account(1)).toMatchObject({ credit: 40, charges: [] })
  })

  test.each([
    [{ amount: 0 }, 422, 'Amount must be more than 0'],
    [{ amount: 1.234 }, 422, 'Amount must have at most two decimal places'],
    [{ method: 'online' }, 422, 'Method is not valid'],
    [{ received_on: '2027-03-11' }, 422, 'Date must not be in the future'],
    [{ student_id: newId() }, 404, 'Student not found'],
    [{ toward: { month: 12, year: 2027 } }, 422, 'Month must be 0 (January) to 11 (December)'],
  ])('is refused with %j, and nothing is written', async (changes, status, detail) => {
    const { account, pay } = await createDojo({})
    const refusal = await pay(10, changes)
    expect([refusal.status, refusal.body.detail, (await account()).lines]).toEqual([
      status,
      detail,
      [],
    ])
  })

  test('does not pay the same charge twice if two payments arrive together', async () => {
    const { account, id, pay, sensei } = await createDojo({})
    const studentLocked = Promise.withResolvers<void>(),
      releaseLock = Promise.withResolvers<void>()
    const lockTransaction = server.db.inDojo(sensei.dojoId, async (tx) => {
      await lockStudents(tx, [id()])
      studentLocked.resolve()
      await releaseLock.promise
    })
    await studentLocked.promise
    const payments = [pay(80), pay(80)]
    await waitForLock(server.adminUrl)
    releaseLock.resolve()
    await Promise.all([lockTransaction, ...payments])
    expect(await account()).toMatchObject({
      balance: -60,
      credit: 60,
      charges: [{ amount: 100, owed: 0 }],
    })
  })
})

describe('other charges, write-offs and refunds', () => {
  test('pays a new charge with credit immediately', async () => {
    const { account, balances, charge, id, pay, post } = await createDojo({}, {})
    await pay(130)
    const chargedReply = await post('/charges', {
      student_ids: [id(), id(1)],
      kind: 'grading',
      amount: 50,
      note: 'Yellow belt',
      charged_on: '2027-02-20',
    })
    expect(chargedReply.body).toMatchObject({ total: 0, lines: 3 })
    expect(await account()).toMatchObject({
      balance: 20,
      credit: 0,
      charges: [{ kind: 'grading', note: 'Yellow belt', owed: 20 }, { owed: 0 }],
    })
    expect(await balances()).toContainEqual({
      student_id: id(1),
      owed: 150,
      credit: 0,
      owed_since: '2027-02-20',
    })
    expect((await charge(10, { kind: 'late_fee' })).body.detail).toBe('Kind is not valid')
    expect((await charge(10, { student_ids: [id(), newId()] })).status).toBe(404)
  })

  test('counts a write-off neither as owed nor as revenue', async () => {
    const { account, moveClockTo, pay, post, records, statistics } = await createDojo({})
    await pay(60)
    await moveClockTo('2027-04-02T18:00:00Z')
    const { id } = (await account()).charges[0]!
    expect((await post(`/charges/${id}/write-off`, { note: 'Moved away' })).body).toMatchObject({
      total: 0,
      lines: 1,
    })
    expect(await records()).toMatchObject([{ payment_status: 'paid', monthly_payment_amount: 60 }])
    expect([await statistics(), (await account()).balance]).toMatchObject([
      { monthly_revenue: 60 },
      100,
    ])
    expect((await post(`/charges/${id}/write-off`)).body.detail).toBe(
      'Nothing is owed on this charge',
    )
    expect((await post(`/charges/${newId()}/write-off`)).body.detail).toBe('Charge not found')
  })

  test('refunds at most what was paid, which is then owed again, or the credit', async () => {
    const { account, charge, id, pay, post, records } = await createDojo({}, {})
    await pay(130)
    const { id: charge_id } = (await account()).charges[0]!
    const refund = (amount: number, changes: object = {}) =>
      post('/refunds', { student_id: id(), amount, ...changes })
    expect((await refund(100.01, { charge_id })).body).toMatchObject({
      detail: 'You can refund at most what was paid for this',
    })
    expect((await refund(30.01)).body.errors).toEqual([
      { field: 'amount', message: 'You can refund at most the credit' },
    ])
    expect((await refund(40, { charge_id, method: 'cash' })).body).toMatchObject({
      total: -40,
      lines: 1,
    })
    expect(await records()).toMatchObject([{ payment_status: 'unpaid' }])
    expect(await account()).toMatchObject({ balance: 10, credit: 30 })
    await refund(30)
    expect(await account()).toMatchObject({ balance: 40, credit: 0 })
    await charge(5, {}, 1)
    const otherChargeId = (await account(1)).charges.find(({ kind }) => kind === 'equipment')!.id
    expect((await refund(1, { charge_id: otherChargeId })).body.detail).toBe('Charge not found')
  })
})
