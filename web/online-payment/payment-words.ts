import { formatMoney } from '@tatami/contract/lib/money'
import type {
  OnlinePayment,
  OnlinePaymentState,
  ReviewReason,
} from '@tatami/contract/online-payment/online-payment'
import type { DisputeState, RefundState } from '@tatami/contract/online-payment/refunds'

type Tone = 'plain' | 'blue' | 'green' | 'orange' | 'red'
export type StateLabel = { label: string; tone: Tone }

const STATES: Record<OnlinePaymentState, StateLabel> = {
  open: { label: 'Not paid yet', tone: 'plain' },
  processing: { label: 'On its way', tone: 'blue' },
  unknown: { label: 'Checking with Stripe', tone: 'orange' },
  paid: { label: 'Paid', tone: 'green' },
  declined: { label: 'Declined', tone: 'red' },
  expired: { label: 'Not finished', tone: 'plain' },
}

const REVIEWS: Record<ReviewReason, string> = {
  paid_twice: 'Paid twice',
  mismatch: 'Does not match',
  refund_failed: 'Refund failed',
  outside_refund: 'Refunded in Stripe',
  dispute_open: 'Disputed',
  dispute_lost: 'Dispute lost',
}

export function labelPayment({
  state,
  review_reason,
  amount,
  refunded,
}: Pick<OnlinePayment, 'state' | 'review_reason' | 'amount' | 'refunded'>): StateLabel {
  if (review_reason) return { label: REVIEWS[review_reason], tone: 'red' }
  if (refunded > 0)
    return { label: refunded < amount ? 'Partly refunded' : 'Refunded', tone: 'plain' }
  return STATES[state]
}

/** "Finn and Ken · Belt test fee; Finn · April 2026" of "Finn: Belt test fee" and so on. */
export function describeLines(lineNames: readonly string[]): string {
  const lines = lineNames.map((lineName) => {
    const [student = '', ...chargeWords] = lineName.split(': ')
    return { student, charge: chargeWords.join(': ') }
  })
  return [...Map.groupBy(lines, ({ charge }) => charge)]
    .map(([charge, group]) => `${NAMES.format(group.map(({ student }) => student))} · ${charge}`)
    .join('; ')
}

const NAMES = new Intl.ListFormat('en')

/** What somebody should do about a payment. */
export const REVIEW_ADVICE: Record<ReviewReason, string> = {
  paid_twice:
    'Somebody paid online what was already paid. The money is credit now. You can refund it.',
  mismatch:
    'Stripe’s answer does not match what was asked for, so nothing was recorded. ' +
    'Please look at the payment in Stripe.',
  refund_failed:
    'A refund came back, so you have the money again. Agree on another way to repay it.',
  outside_refund: 'This payment was refunded in Stripe. Please say below what the refund was for.',
  dispute_open:
    'The payer asked the bank to take the money back. You can answer in Stripe. ' +
    'Until the bank decides, the charges stay paid here.',
  dispute_lost: 'The bank took the money back, so it is owed again.',
}

export const REFUND_STATES: Record<RefundState, StateLabel> = {
  sending: { label: 'Sending', tone: 'orange' },
  pending: { label: 'On its way', tone: 'blue' },
  refunded: { label: 'Refunded', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
}

export const DISPUTE_STATES: Record<DisputeState, string> = {
  open: 'Disputed',
  won: 'Dispute won',
  lost: 'Dispute lost',
}

/** What a refund of this amount does, besides giving the money back. */
export function describeOutcome(
  amount: number,
  outcome: 'owed' | 'written_off',
  hasCharges: boolean,
) {
  if (!hasCharges || amount === 0) return ''
  return outcome === 'owed'
    ? `${formatMoney(amount)} will be owed again.`
    : 'Nothing will be owed for this anymore.'
}
