import { PAYMENT_FILTERS } from '@tatami/contract/payments'
import { useAddressChoice } from '../lib/use-address-choice.ts'

/** The filter in the address, "?filter=unpaid"; another value is ignored (specification, section 2). */
export const usePaymentFilter = () => useAddressChoice('filter', PAYMENT_FILTERS)
