import type { Stripe } from 'stripe'
import { invalidRequest, noSuchObject } from './failure.ts'
import { addObject, findObject, idOf, type Store } from './store.ts'

/** How a bank refuses a payment. */
export type BankAnswer = {
  code: string
  decline_code?: string
  advice_code?: string
  network_decline_code?: string
}

const declinedCard = (decline_code: string, advice_code?: string): BankAnswer => ({
  code: 'card_declined',
  decline_code,
  ...(advice_code && { advice_code }),
})

/** What a payer can pay with. The names are the ends of Stripe's own, such as `pm_card_visa`. */
const TEST_METHODS = {
  visa: null,
  visa_chargeDeclined: declinedCard('generic_decline'),
  visa_chargeDeclinedInsufficientFunds: declinedCard('insufficient_funds', 'try_again_later'),
  visa_chargeDeclinedLostCard: declinedCard('lost_card', 'do_not_try_again'),
  visa_chargeDeclinedStolenCard: declinedCard('stolen_card', 'do_not_try_again'),
  chargeDeclinedFraudulent: declinedCard('fraudulent', 'do_not_try_again'),
  chargeDeclinedExpiredCard: { code: 'expired_card', advice_code: 'confirm_card_data' },
  chargeDeclinedIncorrectCvc: { code: 'incorrect_cvc', advice_code: 'confirm_card_data' },
  chargeDeclinedProcessingError: { code: 'processing_error', advice_code: 'try_again_later' },
  /** The bank wants to ask the payer, so it declines payments while the payer is away. */
  authenticationRequired: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
  },
  usBankAccount: null,
  usBankAccount_insufficientFunds: { code: 'insufficient_funds' },
  usBankAccount_accountClosed: { code: 'account_closed' },
} as const satisfies Record<string, BankAnswer | null>
export type TestMethod = keyof typeof TEST_METHODS

export const isTestMethod = (name: string): name is TestMethod => name in TEST_METHODS

const CARD = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034, funding: 'credit' }
const BANK_ACCOUNT = {
  account_holder_type: 'individual',
  account_type: 'checking',
  bank_name: 'STRIPE TEST BANK',
  last4: '6789',
  routing_number: '110000000',
}

export function addPaymentMethod(store: Store, testMethod: TestMethod): Stripe.PaymentMethod {
  const details = testMethod.startsWith('usBankAccount')
    ? { type: 'us_bank_account', us_bank_account: { ...BANK_ACCOUNT } }
    : { type: 'card', card: { ...CARD } }
  const method = addObject(store, 'payment_method', details as Partial<Stripe.PaymentMethod>)
  store.bankAnswers.set(method.id, TEST_METHODS[testMethod])
  return method
}

/** Changes how the bank will answer when the method is charged. */
export const setBankAnswer = (store: Store, methodId: string, testMethod: TestMethod): void =>
  void store.bankAnswers.set(methodId, TEST_METHODS[testMethod])

export function attachMethod(store: Store, method: Stripe.PaymentMethod, customer: string): void {
  method.customer = customer
  store.emit('payment_method.attached', method)
}

/** The card networks have sent a new number or expiry date. */
export function updateCard(
  store: Store,
  methodId: string,
  card: { last4: string; exp_month: number; exp_year: number },
): void {
  const method = findObject(store, 'payment_method', methodId)
  if (method.card) Object.assign(method.card, card)
  store.emit('payment_method.automatically_updated', method)
}

export function detachMethod(store: Store, methodId: string): Stripe.PaymentMethod {
  const method = findObject(store, 'payment_method', methodId)
  if (method.customer === null)
    throw invalidRequest('The payment method you provided is not attached to a customer.')
  method.customer = null
  store.emit('payment_method.detached', method)
  return method
}

/** Stripe keeps the id of a deleted customer, but nothing can be charged to it. */
export function requireCustomer(store: Store, customerId: string): Stripe.Customer {
  const customer = findObject(store, 'customer', customerId)
  if (customer.deleted) throw noSuchObject('customer', customerId)
  return customer
}

export function deleteCustomer(store: Store, customerId: string): void {
  const customer = requireCustomer(store, customerId)
  for (const method of store.payment_method.values())
    if (idOf(method.customer) === customerId) method.customer = null
  Object.assign(customer, { deleted: true })
  store.emit('customer.deleted', customer)
}
