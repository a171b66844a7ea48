/** What other modules need of the payments that a school takes with its own Stripe account. */
export { CLAIM_MS, type Job, MAX_TASKS } from './jobs.ts'
export { needsReview } from './needs-review.ts'
export {
  type Checkout,
  type IntentStatus,
  type Provider,
  ProviderFailure,
  type RefundStatus,
} from './provider.ts'
export { findProvider, findUsableAccount, type OnlinePaymentContext } from './stripe-account.ts'
