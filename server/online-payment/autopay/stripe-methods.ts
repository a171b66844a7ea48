import { Stripe } from 'stripe'
import { type Checkout, type IntentStatus, ProviderFailure } from '../provider.ts'
import { CURRENCY, idOf, withFailure } from '../stripe-client.ts'
import { toIntentStatus } from '../stripe-intents.ts'
import type {
  DebitOrder,
  MethodDetails,
  MethodProvider,
  SetupOrder,
  SetupStatus,
} from './method-provider.ts'

/** The calls to Stripe about saved cards and bank accounts. */
export const methodCalls = (client: Stripe): MethodProvider => ({
  startSetup: (order) => withFailure(startSetup(client, order)),
  readSetup: (checkoutId) => withFailure(readSetup(client, checkoutId)),
  readMethod: (methodId) => readMethod(client, methodId),
  forgetMethod: async (key, methodId) => {
    await withFailure(client.paymentMethods.detach(methodId, {}, { idempotencyKey: key })).catch(
      ignoreForgotten,
    )
  },
  forgetCustomer: async (key, customerId) => {
    await withFailure(client.customers.del(customerId, {}, { idempotencyKey: key })).catch(
      ignoreForgotten,
    )
  },
  debit: (order) => debit(client, order),
  findDebit: (customerId, paymentId, firstTime) =>
    withFailure(findDebit(client, customerId, paymentId, firstTime)),
})

/** Stripe answers 400 for a card without a customer, and 404 for an unknown or deleted object. */
function ignoreForgotten(failure: unknown): void {
  if (!(failure instanceof ProviderFailure) || failure.kind !== 'rejected') throw failure
}

async function startSetup(client: Stripe, order: SetupOrder): Promise<Checkout> {
  const metadata = { setup_id: order.setupId }
  const session = await client.checkout.sessions.create(
    {
      mode: 'setup',
      currency: CURRENCY,
      customer: order.customerId,
      client_reference_id: order.setupId,
      allowed_payment_method_types: ['card', 'us_bank_account'],
      metadata,
      setup_intent_data: { metadata },
      success_url: order.returnUrl,
      cancel_url: order.cancelUrl,
      expires_at: Math.ceil(order.expiresAt.getTime() / 1000),
    },
    { idempotencyKey: order.key },
  )
  if (session.url === null) throw new Error('Stripe returned a checkout without an address')
  return { id: session.id, url: session.url }
}

async function readSetup(client: Stripe, checkoutId: string): Promise<SetupStatus> {
  const session = await client.checkout.sessions.retrieve(checkoutId)
  const isOver = session.status !== 'open'
  const setupIntentId = idOf(session.setup_intent)
  if (setupIntentId === null) return { isOver, methodId: null }
  const { status, payment_method } = await client.setupIntents.retrieve(setupIntentId)
  return { isOver, methodId: status === 'succeeded' ? idOf(payment_method) : null }
}

async function readMethod(client: Stripe, methodId: string): Promise<MethodDetails | null> {
  try {
    return toMethodDetails(await withFailure(client.paymentMethods.retrieve(methodId)))
  } catch (failure) {
    if (failure instanceof ProviderFailure && failure.status === 404) return null
    throw failure
  }
}

function toMethodDetails(method: Stripe.PaymentMethod): MethodDetails {
  const { id: methodId, livemode: isLive, card, us_bank_account: bank } = method
  const sharedDetails = { methodId, isLive, customerId: idOf(method.customer) }
  if (bank)
    return {
      ...sharedDetails,
      kind: 'bank',
      brand: bank.bank_name,
      last4: bank.last4 ?? '',
      expMonth: null,
      expYear: null,
      fingerprint: bank.fingerprint,
    }
  return {
    ...sharedDetails,
    kind: 'card',
    brand: card?.brand ?? null,
    last4: card?.last4 ?? '',
    expMonth: card?.exp_month ?? null,
    expYear: card?.exp_year ?? null,
    fingerprint: card?.fingerprint ?? null,
  }
}

async function debit(client: Stripe, order: DebitOrder): Promise<IntentStatus> {
  try {
    const intent = await client.paymentIntents.create(
      {
        amount: order.cents,
        currency: CURRENCY,
        customer: order.customerId,
        payment_method: order.methodId,
        allowed_payment_method_types: ['card', 'us_bank_account'],
        off_session: true,
        confirm: true,
        description: order.description,
        ...(order.statementSuffix !== undefined && {
          statement_descriptor_suffix: order.statementSuffix,
        }),
        metadata: { payment_id: order.paymentId },
      },
      { idempotencyKey: order.key },
    )
    return toIntentStatus(intent)
  } catch (error) {
    const intent = error instanceof Stripe.errors.StripeError ? error.payment_intent : undefined
    if (intent) return toIntentStatus(intent)
    return withFailure(Promise.reject(error))
  }
}

const PAGE_SIZE = 100

async function findDebit(
  client: Stripe,
  customer: string,
  paymentId: string,
  firstTime: Date,
): Promise<IntentStatus | null> {
  const period = { gte: Math.floor(firstTime.getTime() / 1000) - 60 }
  for await (const intent of client.paymentIntents.list({
    customer,
    created: period,
    limit: PAGE_SIZE,
  }))
    if (intent.metadata['payment_id'] === paymentId) return toIntentStatus(intent)
  return null
}
