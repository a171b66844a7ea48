import type { AccountCharge } from '@tatami/contract/ledger/ledger'

type DatedCharge = Pick<AccountCharge, 'id' | 'kind' | 'charged_on'>

export function oldestFirst(a: DatedCharge, b: DatedCharge): number {
  if (a.charged_on !== b.charged_on) return a.charged_on < b.charged_on ? -1 : 1
  const rank = ({ kind }: DatedCharge) => (kind === 'month' ? 0 : 1)
  return rank(a) - rank(b) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1)
}
