import { z } from 'zod'
import { positiveDollars } from '../ledger/ledger.ts'
import type { Api } from '../lib/endpoint.ts'
import { clearable, idParams, oneOf, singleLineText, uuid } from '../lib/fields.ts'
import { ONLINE_PAYMENT_STATES, REVIEW_REASONS } from './online-payment.ts'

/**
 * `sending`: Stripe has not confirmed the refund yet. `pending`: the money is on its way to the
 * payer, which takes days to a bank account. `failed`: the school has the money again, which can
 * happen weeks later if the payer's account was closed.
 */
export const REFUND_STATES = ['sending', 'pending', 'refunded', 'failed'] as const
export type RefundState = (typeof REFUND_STATES)[number]

/** A dispute is open from the moment that the payer's bank takes the money back. */
export const DISPUTE_STATES = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

/** What becomes of a charge whose money is given back. */
export const REFUNDED_CHARGE_OUTCOMES = ['owed', 'written_off'] as const
export type RefundedChargeOutcome = (typeof REFUNDED_CHARGE_OUTCOMES)[number]

const MAX_PARTS = 100

/** A charge of a student, or the student's credit if `charge_id` is null. Without a student, what
 *  was paid for students who have been deleted. */
const paymentPart = z.object({
  student_id: z.uuid().nullable(),
  charge_id: z.uuid().nullable(),
  /** "Leo Diaz: April 2026". */
  name: z.string(),
  /** The most that can be refunded. */
  refundable: z.number(),
  /** What the credit pays right now, so that it is owed again without the credit. Empty for a
   *  charge. */
  pays_now: z.array(z.object({ name: z.string(), amount: z.number() })),
  /** Credit that pays nothing. */
  free_credit: z.number(),
})
export type PaymentPart = z.output<typeof paymentPart>

const onlineRefund = z.object({
  id: z.uuid(),
  state: z.enum(REFUND_STATES),
  amount: z.number(),
  note: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: z.string(),
  /** Null for a refund that was made in Stripe's own dashboard. */
  created_by: z.string().nullable(),
  /** False until somebody says what a refund made in Stripe's dashboard was for. */
  is_recorded: z.boolean(),
})
export type OnlineRefund = z.output<typeof onlineRefund>

const onlineDispute = z.object({
  state: z.enum(DISPUTE_STATES),
  amount: z.number(),
  reason: z.string(),
  /** When the school must have answered in Stripe's dashboard. */
  answer_by: z.string().nullable(),
})
export type OnlineDispute = z.output<typeof onlineDispute>

const onlinePaymentDetails = z.object({
  id: z.uuid(),
  state: z.enum(ONLINE_PAYMENT_STATES),
  amount: z.number(),
  /** What it was for: "Leo: April 2026". */
  lines: z.array(z.object({ name: z.string(), amount: z.number() })),
  /** What Stripe kept, which a refund does not return. Null until Stripe has said. */
  fee: z.number().nullable(),
  payer_name: z.string().nullable(),
  paid_at: z.string().nullable(),
  is_live: z.boolean(),
  /** What is left to refund of the whole payment. */
  refundable: z.number(),
  parts: z.array(paymentPart),
  refunds: z.array(onlineRefund),
  dispute: onlineDispute.nullable(),
  review_reason: z.enum(REVIEW_REASONS).nullable(),
  /** The payment in Stripe's dashboard. */
  stripe_url: z.string().nullable(),
})
export type OnlinePaymentDetails = z.output<typeof onlinePaymentDetails>

const refundPart = z.object(
  {
    student_id: clearable(uuid('Student')),
    charge_id: clearable(uuid('Charge')),
    amount: positiveDollars('Amount'),
  },
  'A part must be an object',
)
export type RefundPart = z.output<typeof refundPart>

const partKey = ({ student_id = null, charge_id = null }: RefundPart): string =>
  `${student_id} ${charge_id}`

export const newOnlineRefund = z.object({
  parts: z
    .array(refundPart, 'Parts must be a list')
    .min(1, 'Choose what to refund')
    .max(MAX_PARTS, `At most ${MAX_PARTS} parts`)
    .refine(
      (parts) => new Set(parts.map(partKey)).size === parts.length,
      'Each charge can be listed only once',
    ),
  outcome: oneOf('What happens next', REFUNDED_CHARGE_OUTCOMES),
  note: clearable(singleLineText('Note', 200)),
})
export type NewOnlineRefund = z.output<typeof newOnlineRefund>

export const onlineRefundApi = {
  details: {
    method: 'GET',
    path: '/online-payments/:id',
    access: 'instructor',
    right: 'money.see',
    summary:
      "An online payment by its id or by the id of its ledger act: Stripe's fee, what can be " +
      'refunded, refunds, and a dispute',
    params: idParams,
    reply: onlinePaymentDetails,
  },
  refund: {
    method: 'POST',
    path: '/online-payments/:id/refunds',
    access: 'instructor',
    right: 'money.give_back',
    summary:
      'Refund an online payment, or parts of it, to the card or bank account it came from. ' +
      'The charges are then owed again or written off. 409 while the payer disputes the payment',
    params: idParams,
    idempotent: true,
    body: newOnlineRefund,
    reply: onlinePaymentDetails,
  },
  endReview: {
    method: 'POST',
    path: '/online-payments/:id/review/end',
    access: 'instructor',
    right: 'money.give_back',
    summary: 'Say that nobody needs to look at an online payment anymore',
    params: idParams,
    reply: onlinePaymentDetails,
  },
  recordRefund: {
    method: 'POST',
    path: '/online-refunds/:id/record',
    access: 'instructor',
    right: 'money.give_back',
    summary: "Say what a refund was for that was made in Stripe's own dashboard",
    params: idParams,
    idempotent: true,
    body: newOnlineRefund,
    reply: onlinePaymentDetails,
  },
} as const satisfies Api
