import type { MethodKind } from '@tatami/contract/online-payment/saved-methods'
import type { Decline } from '../provider.ts'

/**
 * `forbidden`: the method is never charged again. `new_method`: wait for a new card. `confirm`: the
 * payer must confirm it in a checkout. `retry`: try again on the next day of the calendar.
 */
export type DeclineStep = 'forbidden' | 'new_method' | 'confirm' | 'retry'

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

/** The card networks charge fees for, or punish, further tries after these. */
const FORBIDDEN = words(`
  lost_card stolen_card pickup_card restricted_card revocation_of_authorization
  revocation_of_all_authorizations stop_payment_order fraudulent merchant_blacklist
  invalid_account incorrect_number card_not_supported transaction_not_allowed`)
const NEW_METHOD = words(`
  expired_card invalid_expiry_month invalid_expiry_year incorrect_cvc invalid_cvc incorrect_zip`)

/** What a decline means for the next try. Codes: https://docs.stripe.com/declines/codes */
export function stepAfterDecline(kind: MethodKind, decline: Decline | null): DeclineStep {
  const { code = null, declineCode = null, adviceCode = null } = decline ?? {}
  const codes = [code, declineCode].filter((value) => value !== null)
  if (adviceCode === 'do_not_try_again') return 'forbidden'
  if (codes.some((value) => FORBIDDEN.has(value))) return 'forbidden'
  // A bank account is closed, unknown or not allowed, or has too little money.
  if (kind === 'bank') return codes.includes('insufficient_funds') ? 'retry' : 'forbidden'
  if (adviceCode === 'confirm_card_data') return 'new_method'
  if (codes.some((value) => NEW_METHOD.has(value))) return 'new_method'
  return codes.includes('authentication_required') ? 'confirm' : 'retry'
}

/** A bank account is tried at most three times, a card as often as the calendar says. */
export const maxTries = (kind: MethodKind, retryDays: number): number =>
  kind === 'bank' ? Math.min(3, retryDays + 1) : retryDays + 1
