/** What other modules need to take a payment with the school's own Stripe account. */
export { CLAIM_MS, type Job, MAX_TASKS } from './jobs.ts'
export {
  type Checkout,
  type IntentStatus,
  type Provider,
  ProviderFailure,
  type RefundStatus,
} from './provider.ts'
export { findProvider, findUsableAccount, type OnlinePaymentContext } from './stripe-account.ts'
