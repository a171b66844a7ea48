import { forDojo } from './action-entry.ts'
import { money, person } from './action-phrases.ts'

export const ONLINE_PAYMENT_ACTIONS = {
  'autopay allowed': forDojo(
    'payments',
    (row) => `let autopay take a charge of ${person(row)} whose payment was undone`,
  ),
  'autopay stopped': forDojo(
    'payments',
    (row) => `stopped autopay for the payer of ${person(row)}`,
  ),
  'Stripe account saved': forDojo('payments', 'saved the Stripe key'),
  'Stripe account removed': forDojo('payments', 'removed the Stripe key'),
  'online payment tried out': forDojo('payments', 'tried out online payment'),
  'online payment confirmed': forDojo('payments', 'let this server take online payments'),
  'online payment refunded': forDojo(
    'payments',
    (row) => `refunded ${money(row)} of an online payment`,
  ),
  'online payment reviewed': forDojo(
    'payments',
    (row) => `reviewed an online payment of ${money(row)}`,
  ),
}
