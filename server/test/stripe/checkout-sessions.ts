import type { Stripe } from 'stripe'
import { invalidRequest } from './failure.ts'
import { addIntent, confirmIntent, requireAmount } from './payment-intents.ts'
import {
  addPaymentMethod,
  attachMethod,
  requireCustomer,
  type TestMethod,
} from './payment-methods.ts'
import { addObject, findObject, idOf, type SessionIntent, type Store, unixTime } from './store.ts'

type SessionForm = {
  mode: 'payment' | 'setup'
  /** The total, for a payment. */
  cents: number
  currency: string
  customer: string | null
  success_url: string | null
  cancel_url: string | null
  client_reference_id: string | null
  expires_at: number | null
  metadata: Record<string, string>
  intent: SessionIntent
}

const MIN_SECONDS = 30 * 60
const MAX_SECONDS = 24 * 60 * 60

export function addSession(
  store: Store,
  { mode, cents, intent, ...form }: SessionForm,
  pageUrl: (sessionId: string) => string,
): Stripe.Checkout.Session {
  const expires_at = form.expires_at ?? unixTime() + MAX_SECONDS
  const seconds = expires_at - unixTime()
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS)
    throw invalidRequest('`expires_at` must be between 30 minutes and 24 hours from now.')
  if (form.success_url === null) throw invalidRequest('Missing required param: success_url.')
  if (form.customer) requireCustomer(store, form.customer)
  if (mode === 'payment') requireAmount(cents)
  const total = mode === 'payment' ? cents : null
  const session = addObject(store, 'checkout.session', {
    ...form,
    mode,
    expires_at,
    status: 'open',
    amount_subtotal: total,
    amount_total: total,
    payment_status: mode === 'payment' ? 'unpaid' : 'no_payment_required',
    payment_method_types: ['card', 'us_bank_account'],
    setup_intent: mode === 'setup' ? addSetupIntent(store, form.customer, intent).id : null,
    ui_mode: 'hosted_page',
  })
  session.url = pageUrl(session.id)
  store.sessionIntents.set(session.id, intent)
  return session
}

const addSetupIntent = (
  store: Store,
  customer: string | null,
  { metadata, description }: SessionIntent,
): Stripe.SetupIntent =>
  addObject(store, 'setup_intent', {
    customer,
    metadata,
    description,
    status: 'requires_payment_method',
    usage: 'off_session',
  })

function requireOpen(store: Store, sessionId: string): Stripe.Checkout.Session {
  const session = findObject(store, 'checkout.session', sessionId)
  expireIfOver(store, session)
  if (session.status !== 'open')
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.')
  return session
}

function endSession(
  store: Store,
  session: Stripe.Checkout.Session,
  status: 'complete' | 'expired',
): void {
  Object.assign(session, { status, url: null })
  const eventType = status === 'complete' ? 'completed' : 'expired'
  store.emit(`checkout.session.${eventType}`, session)
}

function expireIfOver(store: Store, session: Stripe.Checkout.Session): void {
  if (session.status === 'open' && session.expires_at <= unixTime())
    endSession(store, session, 'expired')
}

export function expireSession(store: Store, sessionId: string): Stripe.Checkout.Session {
  const session = requireOpen(store, sessionId)
  endSession(store, session, 'expired')
  return session
}

/** Expires the sessions whose time is over. */
export function expireSessions(store: Store): void {
  for (const session of store['checkout.session'].values()) expireIfOver(store, session)
}

/** The payer presses Pay on the hosted page. After a decline, which is thrown, it stays open. */
export function completeSession(
  store: Store,
  sessionId: string,
  testMethod: TestMethod,
): Stripe.Checkout.Session {
  const session = requireOpen(store, sessionId)
  const method = addPaymentMethod(store, testMethod)
  const customer = idOf(session.customer)
  if (session.mode === 'setup') completeSetup(store, session, method)
  else payIntent(store, session, method)
  const isSaved = session.mode === 'setup' || store.sessionIntents.get(session.id)?.savesMethod
  if (customer && isSaved) attachMethod(store, method, customer)
  endSession(store, session, 'complete')
  return session
}

function completeSetup(
  store: Store,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
): void {
  const setupIntent = findObject(store, 'setup_intent', idOf(session.setup_intent) ?? '')
  Object.assign(setupIntent, { status: 'succeeded', payment_method: method.id })
  store.emit('setup_intent.succeeded', setupIntent)
}

/** A session has one intent, which the first attempt to pay creates. */
function payIntent(
  store: Store,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
): void {
  const { metadata = {}, description = null } = store.sessionIntents.get(session.id) ?? {}
  const intent =
    store.payment_intent.get(idOf(session.payment_intent) ?? '') ??
    addIntent(store, {
      cents: session.amount_total ?? 0,
      currency: session.currency ?? 'usd',
      customer: idOf(session.customer),
      payment_method: null,
      description,
      metadata,
    })
  session.payment_intent = intent.id
  confirmIntent(store, intent, method, { isOffSession: false })
  session.payment_status = intent.status === 'succeeded' ? 'paid' : 'unpaid'
}
