/** Stripe's codes for refunds that did not arrive, in words for the school. */
const FAILURES: Record<string, string> = {
  lost_or_stolen_card: 'The card was reported lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was canceled.',
  charge_for_pending_refund_disputed: 'The payer has disputed the payment at the bank.',
  insufficient_funds: 'Your Stripe balance is too low.',
  declined: 'The payer’s bank refused the money.',
  merchant_request: 'The refund was canceled in Stripe.',
  wrong_key: 'Your Stripe key may not make refunds. In Stripe, give it access to refunds.',
  charge_already_refunded: 'The payment had already been refunded in Stripe.',
  never_received: 'Stripe did not receive the refund.',
}

/** Null for a refund that has not failed. */
export const describeRefundFailure = (state: string, failureReason: string | null): string | null =>
  state === 'failed' ? (FAILURES[failureReason ?? ''] ?? 'The payer’s bank returned it.') : null

/** Stripe's reasons of disputes, in words for the school. */
const DISPUTE_REASONS: Record<string, string> = {
  credit_not_processed: 'The payer expected a refund',
  duplicate: 'The payer says that they paid twice',
  fraudulent: 'The payer says that they did not pay this',
  product_not_received: 'The payer says that they did not get what they paid for',
  product_unacceptable: 'The payer is not satisfied',
  subscription_canceled: 'The payer says that they had canceled',
  unrecognized: 'The payer does not recognize the payment',
  debit_not_authorized: 'The payer says that they did not allow this debit',
  insufficient_funds: 'There was not enough money in the account',
  bank_cannot_process: 'The bank could not process the debit',
  incorrect_account_details: 'The account details were wrong',
}

export const describeDisputeReason = (reason: string): string =>
  DISPUTE_REASONS[reason] ?? 'The payer’s bank gives no reason'
