import { formatShortMoney, toCents } from '@tatami/contract/lib/money'
import type { ChargePreview, QuotedSums } from '@tatami/contract/memberships/act-preview'
import { formatFullDay } from '@tatami/contract/plans/plan-days'
import { Refusal } from '../lib/refusal.ts'

type Sum = Pick<ChargePreview, 'due_on' | 'amount'>

const keyOf = ({ due_on, amount }: Sum): string => `${due_on} ${toCents(amount)}`
const describeSum = ({ due_on, amount }: Sum): string =>
  `${formatShortMoney(amount)} on ${formatFullDay(due_on)}`

/** 409 if the sums are not those that the user saw, for example because a tax was entered since. */
export function requireQuoted(quotedSums: QuotedSums, charges: readonly ChargePreview[]): void {
  if (quotedSums === undefined) return
  const quotedKeys = quotedSums.map(keyOf)
  const areSame = quotedKeys.join() === charges.map(keyOf).join()
  if (areSame) return
  const newSums = charges.filter((charge) => !quotedKeys.includes(keyOf(charge)))
  const words = newSums.length > 0 ? newSums.map(describeSum).join(', ') : 'Nothing'
  throw new Refusal(
    409,
    `The sums have changed since you saw them. Due now: ${words}. Look at them and save again.`,
  )
}
