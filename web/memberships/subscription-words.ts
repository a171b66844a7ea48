import { formatMoney, formatShortMoney } from '@tatami/contract/lib/money'
import type { Subscription } from '@tatami/contract/memberships/memberships'
import { describeCycle } from '@tatami/contract/plans/plan-words'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

/** "$80 a month instead of $96: works at the desk" */
export function describeSubscriptionPrice(subscription: Subscription): string {
  const { price, list_price, price_reason, cycle_unit: unit, cycle_count: count } = subscription
  if (price === null) return ''
  const text = `${formatShortMoney(price)} ${describeCycle({ unit, count })}`
  if (list_price === null || list_price === price) return text
  return joinNonEmpty([`${text} instead of ${formatShortMoney(list_price)}`, price_reason], ': ')
}

/** "Next: $96.00 on Apr 1, 2027" */
export function describeNextCharge({ next_charge, state }: Subscription): string | false {
  if (state === 'ended') return false
  if (!next_charge) return 'Nothing more is due'
  const text = `Next: ${formatMoney(next_charge.amount)} on ${formatDate(next_charge.due_on)}`
  return joinNonEmpty([text, next_charge.reason])
}

/** A plan that never began ends on the day before its first one. */
export const hasBegun = ({ starts_on, ends_on }: Subscription): boolean =>
  ends_on === null || ends_on >= starts_on

/** "Since Mar 17, 2026", "At least until Sep 16, 2026" */
export function listSubscriptionDates(subscription: Subscription) {
  const { state, starts_on, ends_on, minimum_until, renews_on } = subscription
  if (!hasBegun(subscription)) return ['Ended as if it had never started']
  if (state === 'ended' && ends_on !== null)
    return [`${formatDate(starts_on)} to ${formatDate(ends_on)}`]
  return [
    state !== 'coming' && `Since ${formatDate(starts_on)}`,
    ends_on === null && minimum_until !== null && `At least until ${formatDate(minimum_until)}`,
    ends_on === null && renews_on !== null && `Renews on ${formatDate(renews_on)}`,
  ]
}
