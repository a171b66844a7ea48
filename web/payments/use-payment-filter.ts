import { PAYMENT_FILTERS, type PaymentFilter } from '@tatami/contract/payments'
import { useSearchParams } from 'react-router'

/** The filter in the address, "?filter=unpaid"; another value is ignored (specification, section 2). */
export function usePaymentFilter() {
  const [query, setQuery] = useSearchParams()
  const filter = PAYMENT_FILTERS.find((name) => name === query.get('filter')) ?? 'all'
  const choose = (chosen: PaymentFilter) => setQuery((before) => ({ ...Object.fromEntries(before), filter: chosen }), { replace: true })
  return [filter, choose] as const
}
