import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import { now } from '../../lib/clock.ts'
import { noSuchObject } from './failure.ts'
import type { BankAnswer } from './payment-methods.ts'
import { stripeObject } from './stripe-contract.ts'

/** What a session does when the payer completes it. */
export type SessionIntent = {
  metadata: Record<string, string>
  description: string | null
  /** Whether the payment method is kept for later payments. */
  savesMethod: boolean
}

/** Everything that one Stripe account has in one mode (live or test). */
export type Store = {
  livemode: boolean
  customer: Map<string, Stripe.Customer>
  payment_method: Map<string, Stripe.PaymentMethod>
  'checkout.session': Map<string, Stripe.Checkout.Session>
  payment_intent: Map<string, Stripe.PaymentIntent>
  setup_intent: Map<string, Stripe.SetupIntent>
  charge: Map<string, Stripe.Charge>
  balance_transaction: Map<string, Stripe.BalanceTransaction>
  refund: Map<string, Stripe.Refund>
  dispute: Map<string, Stripe.Dispute>
  webhook_endpoint: Map<string, Stripe.WebhookEndpoint>
  sessionIntents: Map<string, SessionIntent>
  /** How the bank answers, by payment method. */
  bankAnswers: Map<string, BankAnswer | null>
  /** When bank debits end, by payment intent, as Unix time. */
  debitEnds: Map<string, number>
  bankDebitDays: number
  emit: (type: Stripe.Event['type'], object: object) => void
}
/** The kinds of objects that requests name by their ids. */
export type ObjectKind = {
  [K in keyof Store]: Store[K] extends Map<string, { id: string }> ? K : never
}[keyof Store]
type ObjectOf<K extends ObjectKind> = Store[K] extends Map<string, infer T> ? T : never

export const createStore = (livemode: boolean, emit: Store['emit']): Store => ({
  livemode,
  customer: new Map(),
  payment_method: new Map(),
  'checkout.session': new Map(),
  payment_intent: new Map(),
  setup_intent: new Map(),
  charge: new Map(),
  balance_transaction: new Map(),
  refund: new Map(),
  dispute: new Map(),
  webhook_endpoint: new Map(),
  sessionIntents: new Map(),
  bankAnswers: new Map(),
  debitEnds: new Map(),
  bankDebitDays: 4,
  emit,
})

export const DAY_SECONDS = 24 * 60 * 60
export const unixTime = (): number => Math.floor(now().getTime() / 1000)

const ID_PREFIXES: Record<ObjectKind, string> = {
  customer: 'cus',
  payment_method: 'pm',
  'checkout.session': 'cs',
  payment_intent: 'pi',
  setup_intent: 'seti',
  charge: 'ch',
  balance_transaction: 'txn',
  refund: 're',
  dispute: 'dp',
  webhook_endpoint: 'we',
}

/** Adds an object with every field that Stripe's contract requires. */
export function addObject<K extends ObjectKind>(
  store: Store,
  kind: K,
  fields: Partial<ObjectOf<K>>,
): ObjectOf<K> {
  const mode = kind === 'checkout.session' && !store.livemode ? 'test_' : ''
  const id = `${ID_PREFIXES[kind]}_${mode}${randomBytes(12).toString('hex')}`
  const object = stripeObject<ObjectOf<K>>(kind, {
    created: unixTime(),
    livemode: store.livemode,
    ...fields,
    id,
  })
  const objects = store[kind] as Map<string, ObjectOf<K>>
  objects.set(id, object)
  return object
}

/** Throws Stripe's 404 if there is no such object. */
export function findObject<K extends ObjectKind>(store: Store, kind: K, id: string): ObjectOf<K> {
  const object = (store[kind] as Map<string, ObjectOf<K>>).get(id)
  if (!object) throw noSuchObject(kind, id)
  return object
}

/** The id of an object that a field refers to. */
export const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference
