/** A student's month. While the records could not be loaded everyone counts as unpaid (specification, section 7), but unconfirmed. */
export type PaymentState = 'paid' | 'unpaid' | 'unconfirmed'
