import type { Stripe } from 'stripe'
import type { MethodKind } from '@tatami/contract/online-payment/saved-methods'
import type { DisputeStatus, FeeStatus, RefundOrder, RefundStatus } from './provider.ts'
import { idOf, withFailure } from './stripe-client.ts'

/** More refunds or disputes than one payment can have. */
const MAX_LISTED = 100

export async function createRefund(
  client: Stripe,
  { key, intentId, refundId, cents }: RefundOrder,
): Promise<RefundStatus> {
  const order = { payment_intent: intentId, amount: cents, metadata: { refund_id: refundId } }
  return toRefundStatus(await withFailure(client.refunds.create(order, { idempotencyKey: key })))
}

export async function listRefunds(client: Stripe, intentId: string): Promise<RefundStatus[]> {
  const { data } = await withFailure(
    client.refunds.list({ payment_intent: intentId, limit: MAX_LISTED }),
  )
  return data.map(toRefundStatus)
}

/** `requires_action` waits for the payer, so the money is still on its way. */
function refundState(status: Stripe.Refund['status']): RefundStatus['state'] {
  if (status === 'succeeded') return 'refunded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

const toRefundStatus = (refund: Stripe.Refund): RefundStatus => ({
  id: refund.id,
  state: refundState(refund.status),
  cents: refund.amount,
  refundId: refund.metadata?.['refund_id'] ?? null,
  failureReason: refund.failure_reason ?? null,
})

export async function listDisputes(client: Stripe, intentId: string): Promise<DisputeStatus[]> {
  const { data } = await withFailure(
    client.disputes.list({ payment_intent: intentId, limit: MAX_LISTED }),
  )
  return data.filter(({ status }) => !isInquiry(status)).map(toDisputeStatus)
}

/** The bank only asks. No money has been taken back. */
const isInquiry = (status: Stripe.Dispute.Status): boolean => status.startsWith('warning_')

function disputeState(status: Stripe.Dispute.Status): DisputeStatus['state'] {
  if (status === 'won' || status === 'prevented') return 'won'
  return status === 'lost' ? 'lost' : 'open'
}

const toDisputeStatus = (dispute: Stripe.Dispute): DisputeStatus => {
  const { due_by } = dispute.evidence_details
  return {
    id: dispute.id,
    state: disputeState(dispute.status),
    cents: dispute.amount,
    reason: dispute.reason,
    answerBy: due_by === null ? null : new Date(due_by * 1000),
  }
}

export async function readFee(client: Stripe, intentId: string): Promise<FeeStatus | null> {
  const intent = await withFailure(client.paymentIntents.retrieve(intentId))
  const chargeId = idOf(intent.latest_charge)
  if (chargeId === null) return null
  const charge = await withFailure(client.charges.retrieve(chargeId))
  const transactionId = idOf(charge.balance_transaction)
  if (transactionId === null) return null
  const { fee } = await withFailure(client.balanceTransactions.retrieve(transactionId))
  return { cents: fee, paidBy: METHOD_KINDS[charge.payment_method_details?.type ?? ''] ?? null }
}

/** By what Stripe calls them. */
const METHOD_KINDS: Record<string, MethodKind | undefined> = {
  card: 'card',
  us_bank_account: 'bank',
}

export const dashboardUrl = (intentId: string, isLive: boolean): string =>
  `https://dashboard.stripe.com/${isLive ? '' : 'test/'}payments/${encodeURIComponent(intentId)}`
