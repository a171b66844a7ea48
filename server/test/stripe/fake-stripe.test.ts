import { Stripe } from 'stripe'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { now } from '../../lib/clock.ts'
import { setClock } from '../clock.ts'
import { type StripeFault, startFakeStripe, TEST_KEY } from './fake-stripe.ts'
import { setBankAnswer } from './payment-methods.ts'
import { closeDispute, failRefund, openDispute } from './refunds.ts'
import { idOf } from './store.ts'

let fault: StripeFault | null = null
const fake = await startFakeStripe({ faultOf: () => fault, silenceMs: 50 })
afterAll(fake.close)
beforeEach(() => {
  fault = null
  fake.violations.length = 0
})
const { store, webhooks } = fake.account()

const clientWith = (key: string, timeout = 20_000) => {
  const { hostname, port } = new URL(fake.url)
  const address = { host: hostname, port, protocol: 'http' as const }
  return new Stripe(key, { ...address, maxNetworkRetries: 0, telemetry: false, timeout })
}
const stripe = clientWith(TEST_KEY)
let keyNumber = 0
const newKey = () => ({ idempotencyKey: `test/${(keyNumber += 1)}` })

const createCustomer = () => stripe.customers.create({ name: 'Ana Ruiz' }, newKey())
const createSession = async (
  customer: string,
  fields: Partial<Stripe.Checkout.SessionCreateParams> = {},
) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      customer,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: 9600,
            product_data: { name: 'Leo: March 2026' },
          },
        },
      ],
      success_url: 'http://127.0.0.1/paid?session={CHECKOUT_SESSION_ID}',
      ...fields,
    },
    newKey(),
  )

async function saveMethod(method: 'visa' | 'usBankAccount' = 'visa') {
  const customer = await createCustomer()
  const session = await createSession(customer.id, {
    payment_intent_data: { setup_future_usage: 'off_session' },
  })
  fake.pay(session.id, method)
  const { data } = await stripe.customers.listPaymentMethods(customer.id)
  return { customer: customer.id, payment_method: data[0]?.id ?? '' }
}
const chargeOffSession = async (
  fields: { customer: string; payment_method: string },
  options = newKey(),
) =>
  stripe.paymentIntents.create(
    { amount: 9600, currency: 'usd', off_session: true, confirm: true, ...fields },
    options,
  )
const eventTypes = () => webhooks.events.map(({ type }) => type)

describe('a payment on the hosted page', () => {
  test('is paid, and every object says so', async () => {
    const customer = await createCustomer()
    const session = await createSession(customer.id)
    expect(session).toMatchObject({ status: 'open', amount_total: 9600, payment_intent: null })
    const page = await fetch(session.url ?? '')
    expect(await page.text()).toContain('Pay $96.00')
    const paidPage = await fetch(session.url ?? '', {
      method: 'POST',
      body: new URLSearchParams({ method: 'visa' }),
      redirect: 'manual',
    })
    expect(paidPage.headers.get('location')).toBe(`http://127.0.0.1/paid?session=${session.id}`)
    const paidSession = await stripe.checkout.sessions.retrieve(session.id)
    expect(paidSession).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    const intent = await stripe.paymentIntents.retrieve(idOf(paidSession.payment_intent) ?? '')
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 9600 })
    const charge = await stripe.charges.retrieve(idOf(intent.latest_charge) ?? '')
    const transaction = await stripe.balanceTransactions.retrieve(
      idOf(charge.balance_transaction) ?? '',
    )
    expect(transaction).toMatchObject({ amount: 9600, fee: 308, net: 9292 })
    expect(fake.violations).toEqual([])
  })

  test('can be tried again after a decline', async () => {
    const session = await createSession((await createCustomer()).id)
    const pay = () => fake.pay(session.id, 'visa_chargeDeclinedInsufficientFunds')
    expect(pay).toThrow('Your card was declined.')
    expect(fake.pay(session.id)).toMatchObject({ payment_status: 'paid' })
  })

  test('cannot be paid after it expired, nor expire after it was paid', async () => {
    const session = await createSession((await createCustomer()).id)
    await stripe.checkout.sessions.expire(session.id, {}, newKey())
    expect(() => fake.pay(session.id)).toThrow('status in ["open"]')
    const paidSession = await createSession((await createCustomer()).id)
    fake.pay(paidSession.id)
    const expire = stripe.checkout.sessions.expire(paidSession.id, {}, newKey())
    await expect(expire).rejects.toMatchObject({ statusCode: 400 })
  })

  test('expires at its time', async () => {
    const expires_at = Math.floor(now().getTime() / 1000) + 31 * 60
    const session = await createSession((await createCustomer()).id, { expires_at })
    setClock(new Date(now().getTime() + 32 * 60_000).toISOString())
    fake.advance()
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
  })

  test('must live for at least half an hour', async () => {
    const expires_at = Math.floor(now().getTime() / 1000) + 10 * 60
    const session = createSession((await createCustomer()).id, { expires_at })
    await expect(session).rejects.toMatchObject({ statusCode: 400 })
  })

  test('saves a method without a payment', async () => {
    const customer = await createCustomer()
    const session = await stripe.checkout.sessions.create(
      { mode: 'setup', currency: 'usd', customer: customer.id, success_url: 'http://127.0.0.1/' },
      newKey(),
    )
    fake.pay(session.id)
    const setupIntent = await stripe.setupIntents.retrieve(idOf(session.setup_intent) ?? '')
    expect(setupIntent.status).toBe('succeeded')
    const { data } = await stripe.customers.listPaymentMethods(customer.id)
    expect(data.map(({ id }) => id)).toEqual([setupIntent.payment_method])
  })
})

describe('a payment without the payer', () => {
  test('takes the money', async () => {
    const intent = await chargeOffSession(await saveMethod())
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 9600 })
  })

  test('is declined with the intent and the codes of the bank', async () => {
    const method = await saveMethod()
    setBankAnswer(store, method.payment_method, 'visa_chargeDeclinedInsufficientFunds')
    await expect(chargeOffSession(method)).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      payment_intent: { status: 'requires_payment_method' },
    })
  })

  test('needs a method of the same customer', async () => {
    const { payment_method } = await saveMethod()
    const { id: customer } = await createCustomer()
    const charge = chargeOffSession({ customer, payment_method })
    await expect(charge).rejects.toMatchObject({ statusCode: 400 })
  })

  test('fails after the method was detached or the customer deleted', async () => {
    const method = await saveMethod()
    await stripe.paymentMethods.detach(method.payment_method, {}, newKey())
    await expect(chargeOffSession(method)).rejects.toMatchObject({ statusCode: 400 })
    const otherMethod = await saveMethod()
    await stripe.customers.del(otherMethod.customer)
    await expect(chargeOffSession(otherMethod)).rejects.toMatchObject({ statusCode: 400 })
  })

  test('by bank debit settles after some days', async () => {
    const intent = await chargeOffSession(await saveMethod('usBankAccount'))
    expect(intent.status).toBe('processing')
    setClock(new Date(now().getTime() + 5 * 86_400_000).toISOString())
    fake.advance()
    const settledIntent = await stripe.paymentIntents.retrieve(intent.id)
    expect(settledIntent.status).toBe('succeeded')
  })

  test('by bank debit may fail after some days', async () => {
    const method = await saveMethod('usBankAccount')
    setBankAnswer(store, method.payment_method, 'usBankAccount_insufficientFunds')
    const intent = await chargeOffSession(method)
    setClock(new Date(now().getTime() + 5 * 86_400_000).toISOString())
    fake.advance()
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'insufficient_funds' },
    })
  })
})

describe('an idempotency key', () => {
  test('gives the first answer again, also a decline', async () => {
    const method = await saveMethod()
    const key = newKey()
    const intent = await chargeOffSession(method, key)
    expect((await chargeOffSession(method, key)).id).toBe(intent.id)
    setBankAnswer(store, method.payment_method, 'visa_chargeDeclined')
    const declineKey = newKey()
    await expect(chargeOffSession(method, declineKey)).rejects.toMatchObject({ statusCode: 402 })
    setBankAnswer(store, method.payment_method, 'visa')
    await expect(chargeOffSession(method, declineKey)).rejects.toMatchObject({ statusCode: 402 })
    await expect(chargeOffSession(method)).resolves.toMatchObject({ status: 'succeeded' })
  })

  test('is refused with other parameters', async () => {
    const key = newKey()
    await stripe.customers.create({ name: 'Ana' }, key)
    const customer = stripe.customers.create({ name: 'Leo' }, key)
    await expect(customer).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    })
  })

  test('is forgotten after a day', async () => {
    const key = newKey()
    const customer = await stripe.customers.create({ name: 'Ana' }, key)
    setClock(new Date(now().getTime() + 25 * 3_600_000).toISOString())
    expect((await stripe.customers.create({ name: 'Ana' }, key)).id).not.toBe(customer.id)
  })

  test.each(['cut-after', 'broken-after', 'silent'] as const)(
    'after the fault %s, the work was done once',
    async (workFault) => {
      const method = await saveMethod()
      const countIntents = async () =>
        (await stripe.paymentIntents.list({ customer: method.customer })).data.length
      const countBefore = await countIntents()
      const key = newKey()
      fault = workFault
      await expect(chargeOffSession(method, key)).rejects.toBeInstanceOf(Stripe.errors.StripeError)
      fault = null
      await chargeOffSession(method, key).catch(() => {})
      expect(await countIntents()).toBe(countBefore + 1)
    },
  )

  test.each([
    ['cut-before', undefined],
    ['broken-before', 500],
    ['rate-limited', 429],
    ['key-in-use', 409],
  ] as const)('after the fault %s, nothing was done', async (workFault, statusCode) => {
    const key = newKey()
    const countBefore = store.customer.size
    fault = workFault
    const customer = stripe.customers.create({ name: 'Ana' }, key)
    await expect(customer).rejects.toMatchObject(statusCode ? { statusCode } : {})
    expect(store.customer.size).toBe(countBefore)
  })

  test('is required, and the one that the library invents is refused', async () => {
    const customer = stripe.customers.create({ name: 'Ana' })
    await expect(customer).rejects.toMatchObject({ statusCode: 400 })
    expect(fake.violations.join()).toContain('dempotency')
  })
})

test.each([
  ['an unknown parameter', { payment_method_types: ['card'] }],
  ['a fraction of a cent', { amount: 96.5 }],
  ['less than 50 cents', { amount: 49 }],
])('refuses %s', async (_, fields) => {
  const method = await saveMethod()
  const parameters = { amount: 9600, currency: 'usd', ...method, ...fields }
  const intent = stripe.paymentIntents.create(parameters, newKey())
  await expect(intent).rejects.toMatchObject({ statusCode: 400 })
})

test('refuses unknown keys and calls that the key may not make', async () => {
  const unknownKey = clientWith('rk_test_unknown').customers.list()
  await expect(unknownKey).rejects.toMatchObject({ statusCode: 401 })
  fake.account().forbiddenOperations.add('GetDisputes')
  await expect(stripe.disputes.list()).rejects.toMatchObject({ statusCode: 403 })
  fake.account().forbiddenOperations.clear()
})

test('keeps live and test mode apart', async () => {
  const liveKey = 'rk_live_1'
  fake.account(liveKey)
  const customer = await createCustomer()
  const liveCustomer = clientWith(liveKey).customers.retrieve(customer.id)
  await expect(liveCustomer).rejects.toMatchObject({ statusCode: 404 })
})

test('lists page by page, newest first', async () => {
  const customers = [await createCustomer(), await createCustomer(), await createCustomer()]
  const firstPage = await stripe.customers.list({ limit: 2 })
  expect(firstPage.has_more).toBe(true)
  const [newest, second] = firstPage.data
  expect([newest?.id, second?.id]).toEqual([customers[2]?.id, customers[1]?.id])
  const secondPage = await stripe.customers.list({ limit: 1, starting_after: second?.id ?? '' })
  expect(secondPage.data[0]?.id).toBe(customers[0]?.id)
})

describe('refunds and disputes', () => {
  const payCharge = async () => {
    const intent = await chargeOffSession(await saveMethod())
    return { intent: intent.id, charge: idOf(intent.latest_charge) ?? '' }
  }
  const refund = (payment_intent: string, amount?: number) =>
    stripe.refunds.create({ payment_intent, ...(amount && { amount }) }, newKey())

  test('refunds at most what was paid, in parts', async () => {
    const { intent } = await payCharge()
    expect(await refund(intent, 4000)).toMatchObject({ status: 'succeeded', amount: 4000 })
    await expect(refund(intent, 6000)).rejects.toMatchObject({ statusCode: 400 })
    expect(await refund(intent)).toMatchObject({ amount: 5600 })
    await expect(refund(intent)).rejects.toMatchObject({ code: 'charge_already_refunded' })
  })

  test('a refund may fail weeks later', async () => {
    const { intent } = await payCharge()
    const { id } = await refund(intent)
    failRefund(store, id)
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed' })
    expect(eventTypes()).toContain('refund.failed')
  })

  test('a disputed charge is not refunded', async () => {
    const { intent, charge } = await payCharge()
    const { id } = openDispute(store, charge)
    await expect(refund(intent)).rejects.toMatchObject({ code: 'charge_disputed' })
    closeDispute(store, id, 'won')
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'won' })
    expect(await refund(intent)).toMatchObject({ status: 'succeeded' })
  })
})

test('signs webhooks, and delivers them late, repeated and in another order', async () => {
  const deliveredEvents: { type: string }[] = []
  const { createServer } = await import('node:http')
  let secret = ''
  const receiver = createServer((request, response) => {
    let payload = ''
    request.on('data', (chunk) => (payload += chunk))
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature'])
      deliveredEvents.push(stripe.webhooks.constructEvent(payload, signature, secret))
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  const endpoint = await stripe.webhookEndpoints.create(
    {
      url: `http://127.0.0.1:${port}/hook`,
      enabled_events: ['payment_intent.succeeded', 'checkout.session.completed'],
    },
    newKey(),
  )
  secret = endpoint.secret ?? ''
  webhooks.hold()
  fake.pay((await createSession((await createCustomer()).id)).id)
  expect(deliveredEvents).toEqual([])
  const statuses = await webhooks.release((deliveries) => {
    const [first] = deliveries
    return first ? [...deliveries.toReversed(), first] : []
  })
  expect(statuses).toEqual([200, 200, 200])
  expect(deliveredEvents.map(({ type }) => type)).toEqual([
    'checkout.session.completed',
    'payment_intent.succeeded',
    'payment_intent.succeeded',
  ])
  await stripe.webhookEndpoints.del(endpoint.id)
  receiver.close()
  const { data } = await stripe.events.list({ types: ['checkout.session.completed'], limit: 1 })
  expect(data[0]?.type).toBe('checkout.session.completed')
})
