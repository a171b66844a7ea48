import type { Stripe } from 'stripe'

const METHODS = [
  ['visa', 'Pay by card'],
  ['usBankAccount', 'Pay by bank account'],
  ['visa_chargeDeclinedInsufficientFunds', 'Pay by a card without money'],
] as const

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Stands in for Stripe's hosted page. It has a button for each kind of payer. */
export function paymentPage(session: Stripe.Checkout.Session, message: string): string {
  const total = ((session.amount_total ?? 0) / 100).toFixed(2)
  const title = session.mode === 'setup' ? 'Save a payment method' : `Pay $${total}`
  const buttons = METHODS.map(
    ([value, label]) => `<p><button name="method" value="${value}">${label}</button></p>`,
  )
  return `<!doctype html><html lang="en"><title>${title}</title>
<main><h1>${title}</h1><p role="alert">${escapeHtml(message)}</p>
<form method="post">${buttons.join('')}</form>
<p><a href="${escapeHtml(session.cancel_url ?? '')}">Back</a></p></main></html>`
}
