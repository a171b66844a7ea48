/** Stripe takes no less than 50 cents. Smaller debts wait for the next month. */
export const MIN_CENTS = 50
