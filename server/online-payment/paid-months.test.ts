import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const { server, createFamily, payOnline } = await startServerWithStripe()

const MARCH = '/online-payment/paid-months?month=2&year=2026'

test('a month that was paid online is listed as long as that payment pays it', async () => {
  setClock('2026-03-10T18:00:00Z')
  const { sensei, leo, mia } = await createFamily()
  await payOnline(sensei, leo.id)
  await sensei.post('/payments', { student_id: mia.id, amount: 80, method: 'cash' })
  const read = async () => (await sensei.get(MARCH)).body
  expect(await read()).toEqual([{ student_id: leo.id, amount: 95 }])
  expect((await sensei.get('/online-payment/paid-months')).body).toEqual(await read())
  expect((await sensei.get('/online-payment/paid-months?month=1&year=2026')).body).toEqual([])
  const mark = {
    ...{ student_id: leo.id, payment_month: 2, payment_year: 2026 },
    ...{ payment_status: 'unpaid', monthly_payment_amount: 95 },
  }
  const { body } = await sensei.post('/payment-records', mark)
  expect(await read()).toEqual([])
  // Nothing was refunded: the money is credit.
  const account = (await sensei.get(`/students/${leo.id}/account`)).body
  expect(account.credit).toBe(95)
  await sensei.post(`/ledger-acts/${body.act_id}/undo`)
  expect(await read()).toEqual([{ student_id: leo.id, amount: 95 }])
})

test('staff need the right to take payments, and see their own school only', async () => {
  setClock('2026-03-10T18:00:00Z')
  const { sensei, leo } = await createFamily()
  await payOnline(sensei, leo.id)
  const desk = await server.createStaff(sensei, { rights: ['students.read', 'money.take'] })
  expect((await desk.get(MARCH)).body).toHaveLength(1)
  const helper = await server.createStaff(sensei, { rights: ['students.read'] })
  expect((await helper.get(MARCH)).status).toBe(403)
  const otherSensei = await server.createSensei()
  expect((await otherSensei.get(MARCH)).body).toEqual([])
})
