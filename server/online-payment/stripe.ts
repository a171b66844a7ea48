import { isLiveKey, type StripePermission } from '@tatami/contract/online-payment/online-payment'
import type { Stripe } from 'stripe'
import { methodCalls } from './autopay/stripe-methods.ts'
import {
  type Checkout,
  type CheckoutOrder,
  type CheckoutStatus,
  type PayerDetails,
  type Provider,
  ProviderFailure,
} from './provider.ts'
import { API_VERSION, createClient, CURRENCY, idOf, withFailure } from './stripe-client.ts'
import { toIntentStatus } from './stripe-intents.ts'
import { listEvents, WEBHOOK_EVENTS } from './stripe-events.ts'
import { createRefund, dashboardUrl, listDisputes, listRefunds, readFee } from './stripe-refunds.ts'

const METHODS: Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[] = [
  'card',
  'us_bank_account',
]

/** Whether payments with a test key at a server that replaces Stripe change the ledger. Tests count
 *  them, to see what real payments do. */
export type TestPayments = 'count' | 'ignore'

/** `apiUrl` replaces Stripe in tests. Live keys are never sent anywhere but to Stripe. */
export function createStripeProvider(
  secretKey: string,
  apiUrl?: string,
  testPayments: TestPayments = 'count',
): Provider {
  const isLive = isLiveKey(secretKey)
  const client = createClient(secretKey, isLive ? undefined : apiUrl)
  return {
    isLive,
    isSimulated: false,
    countsAsMoney: isLive || (apiUrl !== undefined && testPayments === 'count'),
    checkoutOrigin: isLive || !apiUrl ? 'https://checkout.stripe.com' : new URL(apiUrl).origin,
    findMissingPermissions: () => findMissingPermissions(client),
    createCustomer: (key, payer) => withFailure(createCustomer(client, key, payer)),
    startCheckout: (order) => withFailure(startCheckout(client, order)),
    readCheckout: async (id) =>
      toCheckoutStatus(await withFailure(client.checkout.sessions.retrieve(id))),
    expireCheckout: (key, id) => expireCheckout(client, key, id),
    readIntent: async (id) => toIntentStatus(await withFailure(client.paymentIntents.retrieve(id))),
    ...methodCalls(client),
    createRefund: (order) => createRefund(client, order),
    listRefunds: (intentId) => listRefunds(client, intentId),
    listDisputes: (intentId) => listDisputes(client, intentId),
    readFee: (intentId) => readFee(client, intentId),
    dashboardUrl: (intentId) => dashboardUrl(intentId, isLive),
    listEvents: (firstTime) => listEvents(client, firstTime),
    registerWebhook: (key, url) => withFailure(registerWebhook(client, key, url)),
    removeWebhook: async (id) => {
      await withFailure(client.webhookEndpoints.del(id)).catch(ignoreMissing)
    },
  }
}

/** One harmless read for each permission. Writes show only on first use. */
async function findMissingPermissions(client: Stripe): Promise<StripePermission[]> {
  const probes: Record<StripePermission, () => Promise<unknown>> = {
    Customers: () => client.customers.list({ limit: 1 }),
    'Checkout Sessions': () => client.checkout.sessions.list({ limit: 1 }),
    'Payment Intents': () => client.paymentIntents.list({ limit: 1 }),
    'Charges and Refunds': () => client.refunds.list({ limit: 1 }),
    Disputes: () => client.disputes.list({ limit: 1 }),
    Events: () => client.events.list({ limit: 1 }),
  }
  const missingPermissions: StripePermission[] = []
  for (const [permission, probe] of Object.entries(probes) as [
    StripePermission,
    () => Promise<unknown>,
  ][])
    await withFailure(probe()).catch((failure: unknown) => {
      if (!isForbidden(failure)) throw failure
      missingPermissions.push(permission)
    })
  return missingPermissions
}

const isForbidden = (failure: unknown): boolean =>
  failure instanceof ProviderFailure && failure.status === 403

function ignoreMissing(failure: unknown): void {
  if (!(failure instanceof ProviderFailure) || failure.status !== 404) throw failure
}

async function createCustomer(
  client: Stripe,
  key: string,
  { payerId, name, email }: PayerDetails,
): Promise<string> {
  const { id } = await client.customers.create(
    { name, ...(email !== null && { email }), metadata: { payer_id: payerId } },
    { idempotencyKey: key },
  )
  return id
}

async function startCheckout(client: Stripe, order: CheckoutOrder): Promise<Checkout> {
  const metadata = { payment_id: order.paymentId }
  const session = await client.checkout.sessions.create(
    {
      mode: 'payment',
      ...(order.customerId !== null && { customer: order.customerId }),
      client_reference_id: order.paymentId,
      allowed_payment_method_types: order.isCardOnly ? ['card'] : METHODS,
      line_items: order.items.map(({ name, cents }) => ({
        quantity: 1,
        price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name } },
      })),
      metadata,
      payment_intent_data: {
        metadata,
        description: describeItems(order),
        ...(order.statementSuffix !== undefined && {
          statement_descriptor_suffix: order.statementSuffix,
        }),
        ...(order.savesMethod && { setup_future_usage: 'off_session' }),
      },
      success_url: order.returnUrl,
      cancel_url: order.cancelUrl,
      expires_at: Math.ceil(order.expiresAt.getTime() / 1000),
    },
    { idempotencyKey: order.key },
  )
  if (session.url === null) throw new Error('Stripe returned a checkout without an address')
  return { id: session.id, url: session.url }
}

const MAX_DESCRIPTION = 500
const describeItems = ({ items }: CheckoutOrder): string =>
  items
    .map(({ name }) => name)
    .join(', ')
    .slice(0, MAX_DESCRIPTION)

const toCheckoutStatus = (session: Stripe.Checkout.Session): CheckoutStatus => ({
  isOver: session.status !== 'open',
  intentId: idOf(session.payment_intent),
})

async function expireCheckout(client: Stripe, key: string, id: string): Promise<void> {
  await withFailure(client.checkout.sessions.expire(id, {}, { idempotencyKey: key })).catch(
    (failure: unknown) => {
      // Stripe refuses to expire a session that was paid or has expired.
      if (!(failure instanceof ProviderFailure) || failure.status !== 400) throw failure
    },
  )
}

async function registerWebhook(client: Stripe, key: string, url: string) {
  const { id, secret } = await client.webhookEndpoints.create(
    { url, enabled_events: WEBHOOK_EVENTS, api_version: API_VERSION },
    { idempotencyKey: key },
  )
  if (!secret) throw new Error('Stripe returned a webhook without a secret')
  return { id, secret }
}
