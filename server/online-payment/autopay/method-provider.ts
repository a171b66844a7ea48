import type { MethodKind } from '@tatami/contract/online-payment/saved-methods'
import type { Checkout, IntentStatus } from '../provider.ts'

/** Begins a page on which the payer saves a card without paying. */
export type SetupOrder = {
  key: string
  customerId: string
  setupId: string
  returnUrl: string
  cancelUrl: string
  expiresAt: Date
}

/** `methodId`: the card that was saved, if there is one. */
export type SetupStatus = { isOver: boolean; methodId: string | null }

export type MethodDetails = {
  methodId: string
  /** Null after the card was removed from the customer. */
  customerId: string | null
  isLive: boolean
  kind: MethodKind
  brand: string | null
  last4: string
  expMonth: number | null
  expYear: number | null
  fingerprint: string | null
}

/** A payment with a saved card, while the payer is away. */
export type DebitOrder = {
  key: string
  customerId: string
  methodId: string
  paymentId: string
  cents: number
  description: string
  /** What the statement of a card says after the school's name. */
  statementSuffix: string | undefined
}

/** The part of a provider that saves cards and charges them. */
export type MethodProvider = {
  startSetup: (order: SetupOrder) => Promise<Checkout>
  readSetup: (checkoutId: string) => Promise<SetupStatus>
  /** Null if Stripe does not know it. */
  readMethod: (methodId: string) => Promise<MethodDetails | null>
  /** Does nothing if Stripe has forgotten it already. */
  forgetMethod: (key: string, methodId: string) => Promise<void>
  /** Forgets all their cards, too. Does nothing if Stripe has forgotten them already. */
  forgetCustomer: (key: string, customerId: string) => Promise<void>
  /** A decline is a status, not a failure. */
  debit: (order: DebitOrder) => Promise<IntentStatus>
  /** The debit that an earlier call may have begun, or null if it never reached Stripe. */
  findDebit: (customerId: string, paymentId: string, since: Date) => Promise<IntentStatus | null>
}
