/** What a payer pays with: a card, or a bank account by ACH debit. */
export const METHOD_KINDS = ['card', 'bank'] as const
export type MethodKind = (typeof METHOD_KINDS)[number]

/** Why a saved method is not charged anymore. `unauthorized`: the bank forbids further debits. */
export const METHOD_STOP_REASONS = [
  'autopay_ended',
  'replaced',
  'must_be_replaced',
  'unauthorized',
  'removed_at_stripe',
] as const
export type MethodStopReason = (typeof METHOD_STOP_REASONS)[number]
