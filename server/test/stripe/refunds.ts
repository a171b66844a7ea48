import type { Stripe } from 'stripe'
import { invalidRequest } from './failure.ts'
import { addObject, DAY_SECONDS, findObject, idOf, type Store, unixTime } from './store.ts'

type RefundForm = {
  charge: string | null
  payment_intent: string | null
  /** All that is left, if null. */
  cents: number | null
  metadata: Record<string, string>
  reason: Stripe.Refund['reason']
}

const isCardCharge = (store: Store, { payment_method }: Stripe.Charge): boolean =>
  findObject(store, 'payment_method', payment_method ?? '').type === 'card'

export function addRefund(store: Store, form: RefundForm): Stripe.Refund {
  const charge = refundableCharge(store, form)
  const remainingCents = charge.amount - charge.amount_refunded
  const cents = form.cents ?? remainingCents
  if (cents > remainingCents)
    throw invalidRequest('Refund amount is greater than the unrefunded amount on the charge.')
  const refund = addObject(store, 'refund', {
    amount: cents,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    customer: charge.customer,
    metadata: form.metadata,
    reason: form.reason,
    status: isCardCharge(store, charge) ? 'succeeded' : 'pending',
  })
  charge.amount_refunded += cents
  charge.refunded = charge.amount_refunded === charge.amount
  store.emit('refund.created', refund)
  store.emit('charge.refunded', charge)
  return refund
}

function refundableCharge(store: Store, form: RefundForm): Stripe.Charge {
  const intent = form.payment_intent
    ? findObject(store, 'payment_intent', form.payment_intent)
    : null
  const charge = findObject(
    store,
    'charge',
    form.charge ?? idOf(intent?.latest_charge ?? null) ?? '',
  )
  if (charge.disputed) throw invalidRequest('This charge has been charged back.', 'charge_disputed')
  if (charge.status !== 'succeeded') throw invalidRequest('This charge has not been paid.')
  if (charge.refunded)
    throw invalidRequest('Charge has already been refunded.', 'charge_already_refunded')
  return charge
}

/** A refund of a bank debit arrives after some days. */
export function settleRefund(store: Store, refundId: string): void {
  const refund = findObject(store, 'refund', refundId)
  refund.status = 'succeeded'
  store.emit('refund.updated', refund)
}

/** The payer's account was closed, so the school has the money again, maybe weeks later. */
export function failRefund(store: Store, refundId: string): void {
  const refund = findObject(store, 'refund', refundId)
  const charge = findObject(store, 'charge', idOf(refund.charge) ?? '')
  Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
  charge.amount_refunded -= refund.amount
  charge.refunded = false
  store.emit('refund.failed', refund)
  store.emit('refund.updated', refund)
}

const ANSWER_DAYS = 7

/** The payer asks the bank to take the money back. */
export function openDispute(store: Store, chargeId: string, reason = 'fraudulent'): Stripe.Dispute {
  const charge = findObject(store, 'charge', chargeId)
  charge.disputed = true
  const dispute = addObject(store, 'dispute', {
    amount: charge.amount - charge.amount_refunded,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  })
  dispute.evidence_details.due_by = unixTime() + ANSWER_DAYS * DAY_SECONDS
  store.emit('charge.dispute.created', dispute)
  store.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export function closeDispute(store: Store, disputeId: string, status: 'won' | 'lost'): void {
  const dispute = findObject(store, 'dispute', disputeId)
  dispute.status = status
  if (status === 'won') {
    findObject(store, 'charge', idOf(dispute.charge) ?? '').disputed = false
    store.emit('charge.dispute.funds_reinstated', dispute)
  }
  store.emit('charge.dispute.closed', dispute)
}
