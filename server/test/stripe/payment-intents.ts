import type { Stripe } from 'stripe'
import { invalidRequest, StripeFailure } from './failure.ts'
import { type BankAnswer, requireCustomer } from './payment-methods.ts'
import { addObject, DAY_SECONDS, findObject, idOf, type Store, unixTime } from './store.ts'

export type IntentForm = {
  cents: number
  currency: string
  customer: string | null
  payment_method: string | null
  description: string | null
  metadata: Record<string, string>
}

const MIN_CENTS = 50

export function requireAmount(cents: number): void {
  if (!Number.isInteger(cents) || cents < 1) throw invalidRequest('Invalid positive integer')
  if (cents < MIN_CENTS)
    throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small')
}

export function addIntent(store: Store, form: IntentForm): Stripe.PaymentIntent {
  const { cents, ...fields } = form
  requireAmount(cents)
  if (form.customer) requireCustomer(store, form.customer)
  return addObject(store, 'payment_intent', {
    ...fields,
    amount: cents,
    capture_method: 'automatic_async',
    confirmation_method: 'automatic',
    payment_method_types: ['card', 'us_bank_account'],
    status: form.payment_method ? 'requires_confirmation' : 'requires_payment_method',
  })
}

/** The method of a customer, as a payment without the payer needs it. */
export function savedMethod(
  store: Store,
  methodId: string,
  customer: string | null,
): Stripe.PaymentMethod {
  const method = findObject(store, 'payment_method', methodId)
  if (!customer || idOf(method.customer) !== customer)
    throw invalidRequest(
      'The provided PaymentMethod was not attached to the Customer.',
      'payment_method_unexpected_state',
    )
  return method
}

const CONFIRMABLE: Stripe.PaymentIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
]

function requireStatus(intent: Stripe.PaymentIntent, action: string): void {
  if (!CONFIRMABLE.includes(intent.status))
    throw invalidRequest(
      `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`,
      'payment_intent_unexpected_state',
    )
}

/** Takes the money, begins a bank debit, or throws the decline. */
export function confirmIntent(
  store: Store,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { isOffSession }: { isOffSession: boolean },
): void {
  requireStatus(intent, 'confirm')
  intent.payment_method = method.id
  if (method.type === 'us_bank_account') {
    beginDebit(store, intent, method)
    return
  }
  const answer = store.bankAnswers.get(method.id) ?? null
  const isPayerAsked = answer?.code === 'authentication_required' && !isOffSession
  if (answer && !isPayerAsked) throw decline(store, intent, method, answer)
  completePayment(store, intent, addCharge(store, intent, method), method)
}

function beginDebit(
  store: Store,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): void {
  addCharge(store, intent, method).status = 'pending'
  intent.status = 'processing'
  store.debitEnds.set(intent.id, unixTime() + store.bankDebitDays * DAY_SECONDS)
  store.emit('payment_intent.processing', intent)
}

/** Ends the bank debits whose time has come. */
export function settleDebits(store: Store): void {
  for (const [intentId, endsAt] of store.debitEnds)
    if (endsAt <= unixTime()) settleDebit(store, findObject(store, 'payment_intent', intentId))
}

function settleDebit(store: Store, intent: Stripe.PaymentIntent): void {
  store.debitEnds.delete(intent.id)
  const charge = findObject(store, 'charge', idOf(intent.latest_charge) ?? '')
  const method = findObject(store, 'payment_method', idOf(intent.payment_method) ?? '')
  const answer = store.bankAnswers.get(method.id) ?? null
  if (answer) decline(store, intent, method, answer, charge)
  else completePayment(store, intent, charge, method)
  const session = [...store['checkout.session'].values()].find(
    ({ payment_intent }) => idOf(payment_intent) === intent.id,
  )
  if (!session) return
  session.payment_status = answer ? 'unpaid' : 'paid'
  const eventType = answer ? 'async_payment_failed' : 'async_payment_succeeded'
  store.emit(`checkout.session.${eventType}`, session)
}

function addCharge(
  store: Store,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Stripe.Charge {
  const charge = addObject(store, 'charge', {
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type },
    metadata: intent.metadata,
  })
  intent.latest_charge = charge.id
  return charge
}

/** Fees in 2026: cards 2.9% and 30 cents, bank debits 0.8% and at most $5. */
const feeCents = (cents: number, { type }: Stripe.PaymentMethod): number =>
  type === 'card' ? Math.round(cents * 0.029) + 30 : Math.min(500, Math.round(cents * 0.008))

function completePayment(
  store: Store,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  method: Stripe.PaymentMethod,
): void {
  const fee = feeCents(intent.amount, method)
  const transaction = addObject(store, 'balance_transaction', {
    amount: intent.amount,
    fee,
    net: intent.amount - fee,
    currency: intent.currency,
    source: charge.id,
    type: 'charge',
  })
  Object.assign(charge, {
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: intent.amount,
    balance_transaction: transaction.id,
  })
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    last_payment_error: null,
  })
  store.emit('payment_intent.succeeded', intent)
}

const DECLINED_MESSAGE = 'Your card was declined.'

function decline(
  store: Store,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  answer: BankAnswer,
  charge = addCharge(store, intent, method),
): StripeFailure {
  Object.assign(charge, {
    status: 'failed',
    failure_code: answer.code,
    failure_message: DECLINED_MESSAGE,
  })
  const error = { ...answer, type: 'card_error', message: DECLINED_MESSAGE, charge: charge.id }
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: { ...error, payment_method: method },
  })
  store.emit('payment_intent.payment_failed', intent)
  const fields = { ...error, payment_method: method, payment_intent: { ...intent } }
  return new StripeFailure(402, fields, { isRemembered: true })
}

export function cancelIntent(store: Store, intentId: string): Stripe.PaymentIntent {
  const intent = findObject(store, 'payment_intent', intentId)
  requireStatus(intent, 'cancel')
  Object.assign(intent, { status: 'canceled', canceled_at: unixTime() })
  store.emit('payment_intent.canceled', intent)
  return intent
}
