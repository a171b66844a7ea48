import type { AccountCharge } from '@tatami/contract/ledger/ledger'

type Aged = Pick<AccountCharge, 'id' | 'kind' | 'charged_on'>

/** Oldest first; of one day the month. */
export function oldestFirst(a: Aged, b: Aged): number {
  if (a.charged_on !== b.charged_on) return a.charged_on < b.charged_on ? -1 : 1
  const isMonth = ({ kind }: Aged) => (kind === 'month' ? 0 : 1)
  return isMonth(a) - isMonth(b) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1)
}
