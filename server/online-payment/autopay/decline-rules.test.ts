import { expect, test } from 'vitest'
import { stepAfterDecline } from './decline-rules.ts'

const decline = (declineCode: string, adviceCode: string | null = null) => ({
  code: 'card_declined',
  declineCode,
  adviceCode,
  networkCode: null,
})

test.each([
  ['lost_card', 'forbidden'],
  ['stolen_card', 'forbidden'],
  ['fraudulent', 'forbidden'],
  ['stop_payment_order', 'forbidden'],
  ['expired_card', 'new_method'],
  ['incorrect_cvc', 'new_method'],
  ['authentication_required', 'confirm'],
  ['insufficient_funds', 'retry'],
  ['generic_decline', 'retry'],
  ['something_new', 'retry'],
])('a card that is declined with %s: %s', (code, step) => {
  expect(stepAfterDecline('card', decline(code))).toBe(step)
})

test('the advice of the card network comes first', () => {
  expect(stepAfterDecline('card', decline('generic_decline', 'do_not_try_again'))).toBe('forbidden')
  expect(stepAfterDecline('card', decline('generic_decline', 'confirm_card_data'))).toBe(
    'new_method',
  )
  expect(stepAfterDecline('card', decline('generic_decline', 'try_again_later'))).toBe('retry')
})

test('a bank account is tried again only if it had too little money', () => {
  expect(stepAfterDecline('bank', decline('insufficient_funds'))).toBe('retry')
  expect(stepAfterDecline('bank', decline('account_closed'))).toBe('forbidden')
  expect(stepAfterDecline('bank', null)).toBe('forbidden')
})
