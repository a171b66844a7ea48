import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import type {
  OnlinePayment,
  OnlinePaymentState,
  ReviewReason,
} from '@tatami/contract/online-payment/online-payment'
import type {
  DisputeState,
  PaymentPart,
  RefundedChargeOutcome,
  RefundState,
} from '@tatami/contract/online-payment/refunds'

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
  paid_twice: 'Paid too much',
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

/** "Finn and Ken · Belt test fee; Finn · Other charge (2 charges)" of "Finn: Belt test fee" and so
 *  on. */
export function describeLines(lineNames: readonly string[]): string {
  const lines = lineNames.map((lineName) => {
    const [student = '', ...chargeWords] = lineName.split(': ')
    return { student, charge: chargeWords.join(': ') }
  })
  return [...Map.groupBy(lines, ({ charge }) => charge)]
    .map(([charge, group]) => {
      const names = new Set(group.map(({ student }) => student))
      const count = group.length > names.size ? ` (${group.length} charges)` : ''
      return `${NAMES.format(names)} · ${charge}${count}`
    })
    .join('; ')
}

const NAMES = new Intl.ListFormat('en')

/** What somebody should do about a payment. */
export const REVIEW_ADVICE: Record<ReviewReason, string> = {
  paid_twice:
    'Somebody paid online what was no longer owed, for example because it was paid in cash ' +
    'meanwhile. The money is credit now. You can refund it.',
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

/** A part of a payment with the amount that is to be refunded of it. */
type RefundedPart = Pick<PaymentPart, 'charge_id' | 'pays_now' | 'free_credit'> & {
  amount: number
}

/** What a refund does, besides giving the money back. */
export function describeOutcome(
  parts: readonly RefundedPart[],
  outcome: RefundedChargeOutcome,
): string {
  const ofCharges = parts.filter(({ charge_id }) => charge_id !== null)
  const chargeAmount = sumDollars(ofCharges.map(({ amount }) => amount))
  const sentences = parts.flatMap((part) => (part.charge_id === null ? describeCredit(part) : []))
  if (chargeAmount > 0)
    sentences.unshift(
      outcome === 'owed'
        ? `${formatMoney(chargeAmount)} will be owed again. Autopay leaves it out.`
        : 'Nothing will be owed for this anymore.',
    )
  return sentences.join(' ')
}

/** Credit that pays a charge leaves that charge unpaid. */
function describeCredit({ amount, pays_now, free_credit }: RefundedPart): string[] {
  const owedAmount = sumDollars([amount, -free_credit])
  if (owedAmount <= 0 || pays_now.length === 0) return []
  const names = NAMES.format(pays_now.map(({ name }) => name))
  return [`${formatMoney(owedAmount)} will be owed again for ${names}, which this credit pays now.`]
}
