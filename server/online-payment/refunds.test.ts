import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { now } from '../lib/clock.ts'
import { setClock } from '../test/clock.ts'
import { idOf } from './stripe-client.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const { server, stripe, ...online } = await startServerWithStripe()
const { setFaults, performDueTasks, createFamily, payOnline, openPage, balanceOf, readActions } =
  online
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
type Payment = { id: string; parts: { student_id: string; charge_id: string | null }[] }

/** Leo's mother has paid his month online. */
async function createPayment() {
  setClock('2027-03-10T15:00:00Z')
  const { sensei, leo, mia } = await createFamily()
  await payOnline(sensei, leo.id)
  await performDueTasks()
  const [{ id }] = (await sensei.get('/online-payments')).body
  const { body: payment } = await sensei.get(`/online-payments/${id}`)
  return { sensei, leo, mia, payment: payment as Payment, ...readStripeIds() }
}

function readStripeIds() {
  const intent = [...stripe.account().store.payment_intent.values()].at(-1)
  return { intentId: intent?.id ?? '', chargeId: idOf(intent?.latest_charge) ?? '' }
}

const refund = (
  sensei: Pick<Sensei, 'post'>,
  { id, parts }: Payment,
  amount: number,
  outcome = 'owed',
) =>
  sensei.post(`/online-payments/${id}/refunds`, {
    parts: parts.map(({ student_id, charge_id }) => ({ student_id, charge_id, amount })),
    outcome,
    note: 'Moved away',
  })
const read = async (sensei: Sensei, { id }: Payment) =>
  (await sensei.get(`/online-payments/${id}`)).body
const noticesOf = async (sensei: Sensei): Promise<string[]> =>
  (await sensei.get('/notifications')).body.map(({ title }: { title: string }) => title)
const moveDays = (days: number) =>
  setClock(new Date(now().getTime() + days * 86_400_000).toISOString())

test('a payment shows what Stripe kept, and what can be refunded', async () => {
  const { sensei, leo, payment, intentId } = await createPayment()
  expect(payment).toMatchObject({
    state: 'paid',
    amount: 95,
    fee: 3.06,
    refundable: 95,
    payer_name: 'Ana Diaz',
    parts: [{ student_id: leo.id, refundable: 95, name: expect.stringContaining('Leo Diaz: ') }],
    stripe_url: `https://dashboard.stripe.com/test/payments/${intentId}`,
  })
  const { body: account } = await sensei.get(`/students/${leo.id}/account`)
  const paymentLine = account.lines.find(({ kind }: { kind: string }) => kind === 'payment')
  const { body: sameThing } = await sensei.get(`/online-payments/${paymentLine.act_id}`)
  expect(sameThing).toEqual(payment)
})

describe('a refund', () => {
  test('goes back to the card, and the month is owed again', async () => {
    const { sensei, leo, payment } = await createPayment()
    const { status, body } = await refund(sensei, payment, 95)
    expect(status).toBe(200)
    expect(body).toMatchObject({ refundable: 0, refunds: [{ state: 'sending', amount: 95 }] })
    expect(await balanceOf(sensei, leo.id)).toBe(95)
    await performDueTasks()
    expect((await read(sensei, payment)).refunds).toMatchObject([
      { state: 'refunded', amount: 95, note: 'Moved away', failure_reason: null },
    ])
    const refunds = [...stripe.account().store.refund.values()].filter(
      ({ payment_intent }) => payment_intent === readStripeIds().intentId,
    )
    expect(refunds).toMatchObject([{ amount: 9500 }])
    const { body: account } = await sensei.get(`/students/${leo.id}/account`)
    expect(account.lines[0]).toMatchObject({ kind: 'refund', method: 'online', amount: 95 })
    expect(await readActions(sensei)).toEqual(['Stripe account saved', 'online payment refunded'])
  })

  test('is shown to the payer on the page of the payment', async () => {
    const { sensei, payment } = await createPayment()
    const path = `/pay/${sensei.dojoId}.${payment.id}`
    expect((await openPage(path)).html).toContain('Your payment of $95.00 has arrived.')
    await refund(sensei, payment, 20)
    const { html } = await openPage(path)
    expect(html).toContain('$20.00 of your payment was refunded.')
    expect(html).not.toContain('has arrived')
  })

  test('is named on the official receipt', async () => {
    const { sensei, leo, payment } = await createPayment()
    const { body: account } = await sensei.get(`/students/${leo.id}/account`)
    const { act_id } = account.lines.find(({ kind }: { kind: string }) => kind === 'payment')
    const readReceipt = async () => (await sensei.post('/receipts', { act_id })).body
    expect(await readReceipt()).toMatchObject({ total: 95, refunded: 0 })
    await refund(sensei, payment, 15.55)
    expect(await readReceipt()).toMatchObject({ total: 95, refunded: 15.55, cancelled_on: null })
  })

  test('of credit says which charge the credit pays, and leaves that owed', async () => {
    const { sensei, leo, payment } = await createPayment()
    const mark = { student_id: leo.id, payment_month: 2, payment_year: 2027 }
    await sensei.post('/payment-records', { ...mark, payment_status: 'unpaid' })
    const details = await read(sensei, payment)
    expect(details.lines).toEqual([{ name: 'Leo: March 2027', amount: 95 }])
    expect(details.parts).toMatchObject([
      { charge_id: null, pays_now: [{ name: 'March 2027', amount: 95 }], free_credit: 0 },
    ])
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect((await refund(sensei, details, 95)).status).toBe(200)
    expect(await balanceOf(sensei, leo.id)).toBe(95)
  })

  test('never gives credit back to a card that was paid in cash', async () => {
    const { sensei, leo, payment } = await createPayment()
    await sensei.post('/payments', { student_id: leo.id, amount: 30, method: 'cash' })
    expect(await read(sensei, payment)).toMatchObject({
      refundable: 95,
      parts: [{ charge_id: payment.parts[0]?.charge_id, refundable: 95 }],
    })
    const creditPart = { id: payment.id, parts: [{ student_id: leo.id, charge_id: null }] }
    expect((await refund(sensei, creditPart, 30)).status).toBe(422)
  })

  test('of a deleted student is a sum without a name', async () => {
    const { sensei, leo, payment } = await createPayment()
    expect((await sensei.delete(`/students/${leo.id}`)).status).toBe(200)
    const details = await read(sensei, payment)
    expect(details).toMatchObject({ payer_name: 'Ana Diaz', refundable: 95 })
    expect(details.parts).toMatchObject([
      { student_id: null, charge_id: null, name: 'Former student', refundable: 95 },
    ])
    expect((await refund(sensei, details, 95.01)).status).toBe(422)
    expect((await refund(sensei, details, 95)).body).toMatchObject({ refundable: 0 })
    await performDueTasks()
    expect((await read(sensei, payment)).refunds).toMatchObject([{ state: 'refunded', amount: 95 }])
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select sum(amount)::int as cents from ledger_lines
        where kind in ('payment', 'refund')`),
    )
    expect(rows).toEqual([{ cents: 0 }])
  })

  test('can leave the month settled', async () => {
    const { sensei, leo, payment } = await createPayment()
    await refund(sensei, payment, 40, 'written_off')
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect((await read(sensei, payment)).refundable).toBe(55)
  })

  test('is never more than what was paid, also by two clicks at the same time', async () => {
    const { sensei, leo, payment } = await createPayment()
    expect((await refund(sensei, payment, 95.01)).status).toBe(422)
    const statuses = (
      await Promise.all([refund(sensei, payment, 60), refund(sensei, payment, 60)])
    ).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(await balanceOf(sensei, leo.id)).toBe(60)
  })

  test('is made once although the browser sends it twice', async () => {
    const { sensei, leo, payment } = await createPayment()
    const send = () =>
      server.http.inject({
        method: 'POST',
        url: `/api/online-payments/${payment.id}/refunds`,
        headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'one-press' },
        payload: {
          parts: payment.parts.map(({ student_id, charge_id }) => ({
            student_id,
            charge_id,
            amount: 40,
          })),
          outcome: 'owed',
        },
      })
    const responses = [await send(), await send()]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await balanceOf(sensei, leo.id)).toBe(40)
  })

  test('cannot be undone', async () => {
    const { sensei, leo, payment } = await createPayment()
    await refund(sensei, payment, 95)
    const { body: account } = await sensei.get(`/students/${leo.id}/account`)
    const { status, body } = await sensei.post(`/ledger-acts/${account.lines[0].act_id}/undo`, {})
    expect([status, body.detail]).toEqual([409, 'A refund through Stripe cannot be undone'])
  })

  test('of a closed account comes back weeks later, and the staff are told', async () => {
    const { sensei, leo, payment, intentId } = await createPayment()
    await refund(sensei, payment, 95)
    await performDueTasks()
    const stripeRefund = [...stripe.account().store.refund.values()].find(
      ({ payment_intent }) => payment_intent === intentId,
    )
    moveDays(10)
    stripe.failRefund(stripeRefund?.id ?? '')
    await performDueTasks()
    await performDueTasks()
    const { refundable, refunds } = await read(sensei, payment)
    expect(refunds).toMatchObject([
      { state: 'failed', failure_reason: 'The card was reported lost or stolen.' },
    ])
    expect(refundable).toBe(95)
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect(await noticesOf(sensei)).toEqual(['A refund did not arrive'])
  })

  test('that fails after the month was paid again leaves credit', async () => {
    const { sensei, leo, payment, intentId } = await createPayment()
    await refund(sensei, payment, 95)
    await performDueTasks()
    await sensei.post('/payments', { student_id: leo.id, amount: 95, method: 'cash' })
    const stripeRefund = [...stripe.account().store.refund.values()].find(
      ({ payment_intent }) => payment_intent === intentId,
    )
    stripe.failRefund(stripeRefund?.id ?? '')
    moveDays(1)
    await performDueTasks()
    await performDueTasks()
    expect(await balanceOf(sensei, leo.id)).toBe(-95)
  })

  test.each([
    ...(['cut-after', 'broken-after', 'broken-late', 'broken-before'] as const),
    ...(['cut-before', 'rate-limited', 'key-in-use', 'silent'] as const),
  ])('is made once although Stripe fails with %s', async (fault) => {
    const { sensei, payment, intentId } = await createPayment()
    await refund(sensei, payment, 95)
    setFaults(({ operation }) => (operation === 'PostRefunds' ? fault : null))
    await performDueTasks()
    expect((await read(sensei, payment)).refunds).toMatchObject([{ state: 'sending' }])
    setFaults(() => null)
    await expect
      .poll(
        async () => {
          setClock(new Date(now().getTime() + 100_000).toISOString())
          await performDueTasks()
          return (await read(sensei, payment)).refunds
        },
        { timeout: 10_000 },
      )
      .toMatchObject([{ state: 'refunded' }])
    const refunds = [...stripe.account().store.refund.values()]
    expect(refunds.filter(({ payment_intent }) => payment_intent === intentId)).toHaveLength(1)
  })

  test('gets a new key after Stripe has stored an error for the first one', async () => {
    const { sensei, payment, intentId } = await createPayment()
    await refund(sensei, payment, 95)
    setFaults(({ operation }) => (operation === 'PostRefunds' ? 'broken-stored' : null))
    await performDueTasks()
    setFaults(() => null)
    for (let repeats = 0; repeats < 2; repeats += 1) {
      setClock(new Date(now().getTime() + 100_000).toISOString())
      await performDueTasks()
    }
    expect((await read(sensei, payment)).refunds).toMatchObject([{ state: 'refunded' }])
    const refunds = [...stripe.account().store.refund.values()]
    expect(refunds.filter(({ payment_intent }) => payment_intent === intentId)).toHaveLength(1)
  })

  test('that the key may not make changes nothing, and says why', async () => {
    const { sensei, leo, payment } = await createPayment()
    await refund(sensei, payment, 95)
    stripe.account().forbiddenOperations.add('PostRefunds')
    await performDueTasks()
    stripe.account().forbiddenOperations.clear()
    expect((await read(sensei, payment)).refunds).toMatchObject([
      { state: 'failed', failure_reason: expect.stringContaining('may not make refunds') },
    ])
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('needs the right to give money back', async () => {
    const { sensei, payment } = await createPayment()
    const desk = await server.createStaff(sensei, { rights: ['money.take', 'money.see'] })
    expect((await refund(desk, payment, 95)).status).toBe(403)
  })
})

describe('a refund in the dashboard of Stripe', () => {
  async function refundInStripe(days = 1) {
    const family = await createPayment()
    stripe.refundInDashboard(family.intentId, 9500)
    moveDays(days)
    await performDueTasks()
    await performDueTasks()
    return family
  }

  test('is noticed a minute after Stripe did not list its events', async () => {
    const { sensei, intentId } = await createPayment()
    await performDueTasks()
    stripe.refundInDashboard(intentId, 9500)
    moveDays(1)
    setFaults(({ operation }) => (operation === 'GetEvents' ? 'broken-before' : null))
    await performDueTasks()
    setFaults(() => null)
    await performDueTasks()
    expect(await noticesOf(sensei)).toEqual([])
    setClock(new Date(now().getTime() + 60_000).toISOString())
    await performDueTasks()
    await performDueTasks()
    expect(await noticesOf(sensei)).toEqual(['Refund made in Stripe'])
  })

  test('is noticed without a webhook, and recorded by a person', async () => {
    const { sensei, leo, payment } = await refundInStripe()
    expect(await noticesOf(sensei)).toEqual(['Refund made in Stripe'])
    const { refunds, refundable } = await read(sensei, payment)
    expect(refunds).toMatchObject([{ state: 'refunded', is_recorded: false, created_by: null }])
    const { body: stats } = await sensei.get('/dashboard/stats')
    expect(stats.payments_to_review).toBe(1)
    expect(refundable).toBe(0)
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    const record = (amount: number) =>
      sensei.post(`/online-refunds/${refunds[0].id}/record`, {
        parts: payment.parts.map(({ student_id, charge_id }) => ({
          student_id,
          charge_id,
          amount,
        })),
        outcome: 'owed',
      })
    expect((await record(90)).body.detail).toBe('The parts must add up to $95.00')
    expect((await record(95)).body.refunds).toMatchObject([{ is_recorded: true }])
    expect((await record(95)).status).toBe(409)
    expect((await sensei.get('/dashboard/stats')).body.payments_to_review).toBe(0)
    expect(await balanceOf(sensei, leo.id)).toBe(95)
  })
})

describe('a dispute', () => {
  async function openDispute() {
    const family = await createPayment()
    const { id } = stripe.openDispute(family.chargeId)
    moveDays(1)
    await performDueTasks()
    await performDueTasks()
    return { ...family, disputeId: id }
  }
  async function closeDispute(disputeId: string, status: 'won' | 'lost') {
    stripe.closeDispute(disputeId, status)
    moveDays(1)
    await performDueTasks()
    await performDueTasks()
  }

  test('leaves the month paid while it is open, and forbids a refund', async () => {
    const { sensei, leo, payment } = await openDispute()
    expect(await read(sensei, payment)).toMatchObject({
      dispute: {
        state: 'open',
        amount: 95,
        reason: 'The payer says that they did not pay this',
      },
    })
    expect(await balanceOf(sensei, leo.id)).toBe(0)
    expect((await refund(sensei, payment, 95)).status).toBe(409)
    expect(await noticesOf(sensei)).toEqual(['Payment disputed'])
  })

  test('that is lost makes the month owed again, once', async () => {
    const { sensei, leo, payment, disputeId } = await openDispute()
    await closeDispute(disputeId, 'lost')
    await closeDispute(disputeId, 'lost')
    expect((await read(sensei, payment)).dispute.state).toBe('lost')
    expect(await balanceOf(sensei, leo.id)).toBe(95)
    expect(await noticesOf(sensei)).toEqual(['Dispute lost', 'Payment disputed'])
    const { body } = await sensei.post(`/online-payments/${payment.id}/review/end`, {})
    expect(body.review_reason).toBeNull()
    expect(await readActions(sensei)).toContain('online payment reviewed')
  })

  test('that is won changes nothing', async () => {
    const { sensei, leo, payment, disputeId } = await openDispute()
    await closeDispute(disputeId, 'won')
    expect((await read(sensei, payment)).dispute.state).toBe('won')
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })
})

test('Mark Unpaid keeps money that was paid online, as credit that can be refunded', async () => {
  const { sensei, leo, payment } = await createPayment()
  const { year, month } = thisMonth()
  await sensei.post('/payment-records', {
    student_id: leo.id,
    payment_month: month,
    payment_year: year,
    payment_status: 'unpaid',
  })
  expect(await balanceOf(sensei, leo.id)).toBe(0)
  const { parts } = await read(sensei, payment)
  expect(parts).toMatchObject([{ student_id: leo.id, charge_id: null, refundable: 95 }])
})

const thisMonth = () => {
  const day = now()
  return { year: day.getUTCFullYear(), month: day.getUTCMonth() }
}
