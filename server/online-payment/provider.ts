import type { MethodKind } from '@tatami/contract/online-payment/saved-methods'
import type { MethodProvider } from './autopay/method-provider.ts'

/** Takes payments. Everything outside this folder's `stripe.ts` knows only this interface. */

/** What somebody pays for, as the payer reads it. */
export type PaymentItem = { name: string; cents: number }

export type PayerDetails = { payerId: string; name: string; email: string | null }

export type CheckoutOrder = {
  /** Stripe repeats its first answer to the same key for a day, so a repeated call changes nothing. */
  key: string
  /** Null for a visitor, who has no account at the school. */
  customerId: string | null
  paymentId: string
  items: readonly PaymentItem[]
  returnUrl: string
  cancelUrl: string
  expiresAt: Date
  /** What the bank statement says after the school's name. */
  statementSuffix: string | undefined
  /** Whether the card is kept for later payments. */
  savesMethod: boolean
  /** Debits from a bank account take days. */
  isCardOnly: boolean
}
export type Checkout = { id: string; url: string }

/** `isOver`: nobody can pay on its page anymore. */
export type CheckoutStatus = { isOver: boolean; intentId: string | null }

export type Decline = {
  code: string | null
  declineCode: string | null
  adviceCode: string | null
  networkCode: string | null
}

export type IntentStatus = {
  id: string
  state: 'unpaid' | 'processing' | 'paid' | 'canceled'
  cents: number
  isLive: boolean
  /** Our own id, which we sent along. */
  paymentId: string | null
  /** The card or bank account, once the payer has entered it. */
  methodId: string | null
  decline: Decline | null
}

/** `cents`: what Stripe kept of a payment. `paidBy`: null for a kind that we do not know. */
export type FeeStatus = { cents: number; paidBy: MethodKind | null }

export type RefundOrder = { key: string; intentId: string; refundId: string; cents: number }

export type RefundStatus = {
  /** Stripe's id. */
  id: string
  state: 'pending' | 'refunded' | 'failed'
  cents: number
  /** Our own id. Null for a refund made in Stripe's dashboard. */
  refundId: string | null
  failureReason: string | null
}

export type DisputeStatus = {
  id: string
  state: 'open' | 'won' | 'lost'
  cents: number
  reason: string
  answerBy: Date | null
}

/** Something happened to an object of Stripe, which belongs to the payment intent if there is one. */
export type ProviderEvent = {
  id: string
  type: string
  objectId: string
  intentId: string | null
  /** A bank account that the payer no longer allows to be debited. */
  endedMethodId: string | null
  isLive: boolean
}

export type Provider = MethodProvider & {
  isLive: boolean
  /** Whether this is our own simulator, with which a school tries out online payment. */
  isSimulated: boolean
  /** Whether payments change the ledger. False for the simulator and for test keys at Stripe. */
  countsAsMoney: boolean
  /** Where the payer enters the card, for the Content-Security-Policy of our page. */
  checkoutOrigin: string
  /** The permissions that the key lacks. Throws if Stripe refuses the key. */
  findMissingPermissions: () => Promise<string[]>
  createCustomer: (key: string, payer: PayerDetails) => Promise<string>
  startCheckout: (order: CheckoutOrder) => Promise<Checkout>
  readCheckout: (checkoutId: string) => Promise<CheckoutStatus>
  /** Does nothing if it is over already. */
  expireCheckout: (key: string, checkoutId: string) => Promise<void>
  readIntent: (intentId: string) => Promise<IntentStatus>
  createRefund: (order: RefundOrder) => Promise<RefundStatus>
  listRefunds: (intentId: string) => Promise<RefundStatus[]>
  listDisputes: (intentId: string) => Promise<DisputeStatus[]>
  /** Null until Stripe knows. */
  readFee: (intentId: string) => Promise<FeeStatus | null>
  /** The payment in Stripe's dashboard. */
  dashboardUrl: (intentId: string) => string
  /** Oldest first. Stripe keeps events for 30 days. */
  listEvents: (firstTime: Date) => Promise<ProviderEvent[]>
  /** Returns the secret that signs the events. */
  registerWebhook: (key: string, url: string) => Promise<{ id: string; secret: string }>
  removeWebhook: (webhookId: string) => Promise<void>
}

/**
 * `unknown`: the call may have been carried out. `retry`: it was not, and can be repeated.
 * `wrong_key`: the key is wrong or lacks a permission. `rejected`: it can never succeed.
 */
export type FailureKind = 'unknown' | 'retry' | 'wrong_key' | 'rejected'

type FailureDetails = {
  status?: number | null
  code?: string | null
  isStoredError?: boolean
  cause?: unknown
}

/** Another press of the payer has ended the payment while its page was being opened. */
export class CheckoutReplaced extends Error {
  override name = 'CheckoutReplaced'
}

export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly kind: FailureKind
  /** Null if there was no response. */
  readonly status: number | null
  readonly code: string | null
  /** Stripe has stored an error of its own for the idempotency key, and repeats it for a day. The
   *  call with this key is over, but may have been carried out. */
  readonly isStoredError: boolean
  constructor(
    kind: FailureKind,
    message: string,
    { status = null, code = null, isStoredError = false, cause }: FailureDetails = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.status = status
    this.code = code
    this.isStoredError = isStoredError
  }
}
