import type { PayerHome, SavedMethod } from '@tatami/contract/online-payment/payer-home'
import { formatMoney } from '@tatami/contract/lib/money'
import { capitalize } from '../lib/text.ts'

/** "Visa ending in 4242, expires 12/2034" */
export function describeMethod({ kind, brand, last4, expires }: SavedMethod): string {
  const name = brand === null ? (kind === 'card' ? 'card' : 'bank account') : brand
  const expiry = expires ? `, expires ${expires.month + 1}/${expires.year}` : ''
  return `${capitalize(name)} ending in ${last4}${expiry}`
}

/** Why a bank account is the better choice. Null if it saves nothing. */
export function describeSaving({ fees: { card, bank } }: PayerHome): string | null {
  if (card.amount <= bank.amount) return null
  const qualifier = card.is_measured && bank.is_measured ? '' : 'about '
  return (
    `Paying from a bank account costs your school ${qualifier}${formatMoney(bank.amount)} a month ` +
    `instead of ${formatMoney(card.amount)}.`
  )
}

type Trouble = NonNullable<NonNullable<PayerHome['autopay']>['trouble']>

const TROUBLE_WORDS: Partial<Record<Trouble, string>> = {
  open: 'The last payment was declined. We will try again in a few days. You can also pay now.',
  needs_method: 'Your card or bank account can’t be charged anymore. Please add another one.',
  needs_payer: 'Your bank wants you to confirm the payment. Please pay it here once.',
  over_limit: 'You owe more than the limit you set, so nothing was charged. Please pay it here.',
  given_up: 'The last payment was declined. Please pay it here.',
}

export const describeTrouble = (trouble: Trouble | null): string | null =>
  trouble === null ? null : (TROUBLE_WORDS[trouble] ?? null)
