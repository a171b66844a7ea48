import { expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { createLedgerDojo, APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('pays what several students owe in one act', async () => {
  const { account, balances, moveClockTo, id, post, undo } = await createLedgerDojo(server, {}, {})
  await moveClockTo('2027-04-10T18:00:00Z')
  const payments = [
    { student_id: id(0), amount: 200 },
    { student_id: id(1), amount: 120 },
  ]
  const paymentReply = await post('/payments/together', { payments, method: 'cash' })
  expect(paymentReply.body).toMatchObject({ total: 320, act_id: expect.any(String) })
  expect(await balances()).toMatchObject([{ student_id: id(1), owed: 80 }])
  expect(chargeRows(await account(1))).toEqual([
    [MARCH, 100, 0],
    [APRIL, 100, 80],
  ])
  await undo(paymentReply)
  expect((await balances()).map(({ owed }) => owed)).toEqual([200, 200])
})

test('keeps a surplus as the student’s credit', async () => {
  const { account, id, post } = await createLedgerDojo(server, {})
  await post('/payments/together', { payments: [{ student_id: id(), amount: 130 }] })
  expect(await account()).toMatchObject({ balance: -30, credit: 30 })
})

test('takes nothing if a student is unknown, named twice or pays nothing', async () => {
  const { balances, id, post } = await createLedgerDojo(server, {})
  const refusalOf = async (payments: object[]) => {
    const { status, body } = await post('/payments/together', { payments })
    return [status, body.detail]
  }
  const payment = { student_id: id(), amount: 50 }
  expect(await refusalOf([payment, { ...payment, student_id: newId() }])).toEqual([
    404,
    'Student not found',
  ])
  expect(await refusalOf([payment, payment])).toEqual([422, 'A student can have one payment'])
  expect(await refusalOf([{ ...payment, amount: 0 }])).toEqual([422, 'Amount must be more than 0'])
  expect(await refusalOf([])).toEqual([422, 'At least one payment'])
  expect(await balances()).toMatchObject([{ owed: 100 }])
})
