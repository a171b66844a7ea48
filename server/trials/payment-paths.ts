/** Below a school's booking form, where visitors pay. */
export const PAY_PATH = 'pay'
/** Leads from there to Stripe. */
export const CHECKOUT_PATH = 'checkout'
