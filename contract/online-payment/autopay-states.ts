/** From where an agreement was made or ended. */
export const AUTOPAY_WAYS = ['home', 'link', 'staff', 'server'] as const
export type AutopayWay = (typeof AUTOPAY_WAYS)[number]

/** Why an agreement ended. `changed`: another one with a new day or limit replaced it. `test_over`:
 *  it was made with a test key, and the school has a live one now. */
export const AUTOPAY_END_REASONS = [
  'payer',
  'staff',
  'changed',
  'no_students',
  'method_gone',
  'dispute',
  'test_over',
] as const
export type AutopayEndReason = (typeof AUTOPAY_END_REASONS)[number]

/**
 * How a debit is going. `open`: it is tried on its next day. `needs_method`: it waits for a new
 * card. `needs_payer`: the payer must confirm it in a checkout. `over_limit`: it is more than the
 * payer allows. `given_up`: the last try was declined. `failed`: our mistake, which the school is
 * told about. `stopped`: the payer stopped autopay.
 */
export const DEBIT_STATES = [
  'open',
  'paid',
  'nothing_owed',
  'needs_method',
  'needs_payer',
  'over_limit',
  'given_up',
  'failed',
  'stopped',
] as const
export type DebitState = (typeof DEBIT_STATES)[number]

export const NOTICE_REASONS = ['first', 'changed'] as const
export type NoticeReason = (typeof NOTICE_REASONS)[number]

export const NOTICE_WAYS = ['mail', 'bell', 'text'] as const
export type NoticeWay = (typeof NOTICE_WAYS)[number]
