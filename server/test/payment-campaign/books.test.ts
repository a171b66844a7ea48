import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../autopay-payers.ts'
import { failRefund } from '../stripe/refunds.ts'
import { auditBooks } from './books.ts'

const autopay = await startServerWithAutopay()
const { server, stripe, createPayer, createLink, pressPay, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Leo's $95 are being paid on a page of Stripe. */
async function openCheckout() {
  const { sensei, students } = await createPayer('2026-03-10', { Leo: 95 })
  const leoId = students[0]?.id ?? ''
  const path = await createLink(sensei, leoId)
  const { sessionId } = await pressPay(path)
  const school = { id: sensei.id, dojoId: sensei.dojoId, payers: [], studentIds: [leoId] }
  const pay = async () => {
    stripe.pay(sessionId)
    await autopay.openPage(autopay.returnPathOf(sessionId))
  }
  const readFaults = async () =>
    (await auditBooks(server.db, autopay.store(), [school])).faults.filter((fault) =>
      fault.includes('paid twice'),
    )
  return { sensei, leoId, path, pay, readFaults }
}

test('cash explains as many cents as it paid while the payer was paying, and no more', async () => {
  const { sensei, leoId, pay, readFaults } = await openCheckout()
  const cash = { student_id: leoId, amount: 10, method: 'cash', even_if_on_its_way: true }
  expect((await sensei.post('/payments', cash)).status).toBe(200)
  await pay()
  expect(await readFaults()).toEqual([])
  await queryRows(sensei, 'update online_payment_lines set amount = amount + 500 returning id')
  const faults = await readFaults()
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain('was paid twice, 1500 cents (explained: 1000)')
})

test('a refund that comes back explains its own cents, but not a second payment', async () => {
  const { sensei, pay, path, readFaults } = await openCheckout()
  await pay()
  const [{ id }] = (await sensei.get('/online-payments')).body
  const { parts } = (await sensei.get(`/online-payments/${id}`)).body
  const order = { parts: [{ ...parts[0], amount: 40 }], outcome: 'owed' }
  expect((await sensei.post(`/online-payments/${id}/refunds`, order)).status).toBe(200)
  await autopay.performTasks()
  const { sessionId } = await pressPay(path)
  const refunds = [...autopay.store().refund.values()]
  failRefund(autopay.store(), refunds.at(-1)?.id ?? '')
  await autopay.readEvents(sensei)
  stripe.pay(sessionId)
  await autopay.openPage(autopay.returnPathOf(sessionId))
  const payments = await queryRows(sensei, 'select paid_twice from online_payments order by id')
  expect(payments).toEqual([{ paid_twice: 0 }, { paid_twice: 4000 }])
  expect(await readFaults()).toEqual([])
  // As if the same month had been paid online a second time.
  await queryRows(sensei, 'update online_payment_lines set amount = amount + 9500 returning id')
  const faults = await readFaults()
  expect(faults.join()).toContain('13500 cents (explained: 4000)')
})
