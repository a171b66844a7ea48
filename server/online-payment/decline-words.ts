/** Codes that Stripe asks not to show, because they accuse the payer. */
const GENERIC = 'The bank declined the payment'

const WORDS: Record<string, string> = {
  insufficient_funds: 'Not enough money in the account',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The card’s security code was wrong',
  incorrect_zip: 'The card’s zip code was wrong',
  authentication_required: 'The bank wants to ask the payer',
  processing_error: 'The bank could not process the payment',
  account_closed: 'The bank account is closed',
}

/** Why a payment was declined, for the school. Codes: https://docs.stripe.com/declines/codes */
export const describeDecline = (code: string | null): string | null =>
  code === null ? null : (WORDS[code] ?? GENERIC)
