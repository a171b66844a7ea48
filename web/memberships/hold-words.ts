import { formatMoney } from '@tatami/contract/lib/money'
import type { Hold } from '@tatami/contract/memberships/holds'
import { formatDate } from '../lib/dates.ts'
import { capitalize, joinNonEmpty } from '../lib/text.ts'

/** The kind of a hold whose name the user types. */
export const OTHER_HOLD = 'other'

export const HOLD_KINDS = [
  { value: 'vacation', label: 'Vacation' },
  { value: 'injury', label: 'Injury' },
  { value: OTHER_HOLD, label: 'Something else' },
]

function describeBilling({ billing, fee }: Hold): string | false {
  if (billing === 'fee') return fee !== null && `${formatMoney(fee)} for each period`
  return billing === 'full' ? 'at the full price' : 'free'
}

/** "Vacation from Jul 1, 2026 to Jul 31, 2026, free" */
export function describeHold(hold: Hold): string {
  const end = hold.ends_on === null ? ', no last day yet' : ` to ${formatDate(hold.ends_on)}`
  const days = `${capitalize(hold.kind)} from ${formatDate(hold.starts_on)}${end}`
  return joinNonEmpty([days, describeBilling(hold)])
}

/** "Vacation ended on Mar 14, 2027, because the student was marked present" */
export const describeReturn = ({ kind, ends_on }: Hold): string =>
  `${capitalize(kind)} ended on ${formatDate(ends_on ?? '')}, because the student was marked present`
