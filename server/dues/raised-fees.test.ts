import { describe, expect, test } from 'vitest'
import { createLedgerDojo, APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createDojo() {
  const dojo = await createLedgerDojo(server, { monthly_payment_amount: 95 })
  const changeFee = async (monthly_payment_amount: number, changes: object = {}) => {
    const { student } = (await dojo.get(`/students/${dojo.id()}`)).body
    const body = { ...student, monthly_payment_amount, ...changes }
    return dojo.put(`/students/${dojo.id()}`, body)
  }
  const findOwed = async () => (await dojo.dues()).map((due) => due.owed)
  return { ...dojo, changeFee, findOwed }
}

describe('a fee that is raised during a month', () => {
  test('counts from next month if the form says so, in every list and text', async () => {
    const { account, changeFee, get, moveClockTo, mark, findOwed, post } = await createDojo()
    const changedReply = await changeFee(105, { fee_from: 'next_month' })
    expect(changedReply.body.student.monthly_payment_amount).toBe(105)
    expect(await findOwed()).toEqual([95])
    expect((await get(`/sibling-prices/students?month=${MARCH}&year=2027`)).body).toMatchObject([
      { list_fee: 105, amount: 95, reason: 'new fee from April 2027' },
    ])
    const preview = await post('/sms/preview', {
      message_type: 'monthly_fee',
      custom_message: '{amount}',
    })
    expect(preview.body.students).toMatchObject([{ amount: 95 }])
    expect((await mark('paid', { monthly_payment_amount: 105 })).body).toMatchObject({
      monthly_payment_amount: 95,
    })
    await moveClockTo('2027-04-10T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 95, 0],
      [APRIL, 105, 105],
    ])
  })

  test('charges the former fee when the month ends', async () => {
    const { account, changeFee, moveClockTo } = await createDojo()
    await changeFee(105, { fee_from: 'next_month' })
    await moveClockTo('2027-04-10T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 95, 95],
      [APRIL, 105, 105],
    ])
  })

  test('counts immediately if the request has no `fee_from`', async () => {
    const { changeFee, findOwed } = await createDojo()
    await changeFee(105)
    expect(await findOwed()).toEqual([105])
  })

  test('does not raise this month’s price with a second change', async () => {
    const { changeFee, findOwed } = await createDojo()
    await changeFee(105, { fee_from: 'next_month' })
    await changeFee(105)
    expect(await findOwed()).toEqual([95])
    await changeFee(100)
    expect(await findOwed()).toEqual([95])
    await changeFee(100, { fee_from: 'this_month' })
    expect(await findOwed()).toEqual([100])
  })

  test.each(['this_month', 'next_month'])(
    'does not change the price of a month that is partly or fully paid (%s)',
    async (fee_from) => {
      const { account, changeFee, moveClockTo, mark, pay } = await createDojo()
      await pay(50)
      await changeFee(105, { fee_from })
      expect(chargeRows(await account())).toEqual([[MARCH, 95, 45]])
      await mark('paid')
      await changeFee(110, { fee_from })
      expect(chargeRows(await account())).toEqual([[MARCH, 95, 0]])
      await moveClockTo('2027-04-10T18:00:00Z')
      expect(chargeRows(await account())).toEqual([
        [MARCH, 95, 0],
        [APRIL, 110, 110],
      ])
    },
  )

  test('counts immediately if it is then lowered below the former fee', async () => {
    const { changeFee, findOwed } = await createDojo()
    await changeFee(105, { fee_from: 'next_month' })
    await changeFee(90, { fee_from: 'next_month' })
    expect(await findOwed()).toEqual([90])
  })

  test('refuses an unknown `fee_from`', async () => {
    const { changeFee, findOwed } = await createDojo()
    const refusal = await changeFee(105, { fee_from: 'yesterday' })
    expect([refusal.status, refusal.body.detail]).toEqual([
      422,
      'Month of the new fee is not valid',
    ])
    expect(await findOwed()).toEqual([95])
  })
})
