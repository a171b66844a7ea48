import type { LedgerLine } from '@tatami/contract/ledger/ledger'
import { expect, test } from 'vitest'
import {
  describeBalance,
  nameLine,
  describePaymentEffect,
  sumReceived,
  findLiveReversals,
} from './account-figures.ts'
import { sumUndonePayments } from './mark-notice.ts'

const createLine = (fields: Partial<LedgerLine> & Pick<LedgerLine, 'id'>): LedgerLine => ({
  act_id: 'act',
  charge_id: null,
  kind: 'payment',
  amount: -85,
  reason: null,
  method: null,
  note: null,
  made_on: '2026-11-03',
  created_at: '2026-11-03T10:00:00.000Z',
  created_by: 'Ann',
  reverses: null,
  follows_plan: false,
  tax: null,
  tax_percent: null,
  ...fields,
})

test('describes the balance, and names the year of the oldest debt unless it is this year', () => {
  const today = '2026-11-23'
  expect(describeBalance({ owed: 170, credit: 0, owed_since: '2026-09-01' }, today)).toBe(
    'Owes $170.00 since September',
  )
  expect(describeBalance({ owed: 170, credit: 0, owed_since: '2025-09-01' }, today)).toBe(
    'Owes $170.00 since September 2025',
  )
  expect(describeBalance({ owed: 0, credit: 15, owed_since: null }, today)).toBe('Credit $15.00')
  expect(describeBalance({ owed: 0, credit: 0, owed_since: null }, today)).toBe('')
  expect(describeBalance(undefined, today)).toBe('')
})

test('says how much is still owed after a payment, or how much becomes credit', () => {
  expect(describePaymentEffect(50, 85.5)).toBe('Partial payment: $35.50 still owed.')
  expect(describePaymentEffect(85.5, 85.5)).toBe('Pays everything owed.')
  expect(describePaymentEffect(100, 85.5)).toBe('$14.50 goes to credit.')
  expect(describePaymentEffect(undefined, 85.5)).toBe('$85.50 is owed.')
  expect(describePaymentEffect(0, 0)).toBe('Nothing is owed.')
  expect(describePaymentEffect(0.1, 0.3)).toBe('Partial payment: $0.20 still owed.')
})

test('a line counts as undone until its reversal is undone, too', () => {
  const payment = createLine({ id: 'paid' })
  const undoLine = createLine({ id: 'undone', act_id: 'undo', amount: 85, reverses: 'paid' })
  const redoLine = createLine({ id: 'redone', act_id: 'redo', reverses: 'undone' })
  expect([...findLiveReversals([undoLine, payment]).keys()]).toEqual(['paid'])
  expect([...findLiveReversals([redoLine, undoLine, payment]).keys()]).toEqual(['undone'])
})

test('counts and totals the payments that an undo reversed', () => {
  const lines = [
    createLine({ id: 'charged', kind: 'charge', amount: 85 }),
    createLine({ id: 'cash', amount: -50 }),
    createLine({ id: 'card', amount: -35 }),
    createLine({ id: '1', act_id: 'undo', kind: 'charge', amount: -85, reverses: 'charged' }),
    createLine({ id: '2', act_id: 'undo', amount: 50, reverses: 'cash' }),
    createLine({ id: '3', act_id: 'undo', amount: 35, reverses: 'card' }),
  ]
  expect(sumUndonePayments(lines, 'undo')).toEqual({ count: 2, total: 85 })
  expect(sumUndonePayments(lines, 'act')).toEqual({ count: 0, total: 0 })
})

test('adds up the payments for a charge, minus refunds', () => {
  const lines = [
    createLine({ id: 'charge', kind: 'charge', charge_id: 'nov', amount: 85 }),
    createLine({ id: 'payment', charge_id: 'nov', amount: -60 }),
    createLine({ id: 'refund', charge_id: 'nov', kind: 'refund', amount: 10 }),
    createLine({ id: 'october', charge_id: 'oct', amount: -85 }),
  ]
  const account = {
    student_id: 's',
    balance: 0,
    credit: 0,
    on_its_way: 0,
    owed_since: null,
    charges: [],
    lines,
  }
  expect(sumReceived(account, 'nov')).toBe(50)
})

test('names a line after its charge', () => {
  const november = {
    id: 'nov',
    kind: 'month',
    month: 10, // Months start at 0.
    year: 2026,
    amount: 85,
    owed: 0,
    reason: null,
    note: null,
    charged_on: '2026-11-01',
    tax: null,
    tax_percent: null,
  } as const
  const december = { ...november, id: null, month: 11, owed: 85, charged_on: '2026-12-01' }
  const charges = [november, december]
  expect(nameLine(createLine({ id: 'payment', charge_id: 'nov', method: 'cash' }), charges)).toBe(
    'Payment, cash for November 2026',
  )
  expect(nameLine(createLine({ id: 'payment' }), charges)).toBe('Payment')
  expect(nameLine(createLine({ id: 'charge', kind: 'charge', charge_id: 'nov' }), charges)).toBe(
    'November 2026',
  )
})
