import type { Account, AccountCharge } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import { thisMonth } from '../lib/month.ts'
import {
  describeEffect,
  getInitialValues,
  canChooseMonth,
  listRefundOptions,
  findPaymentTarget,
  type PaymentTarget,
  toRequest,
  describeResult,
} from './payment-form.ts'

const MARCH = { month: 2, year: 2027 }
const PRICE = 100
const ken = { id: 'ken', name: 'Ken Adams', payment_method: null } as Student
const createAccount = (...charges: Partial<AccountCharge>[]) =>
  ({ charges, credit: 0, on_its_way: 0, lines: [] }) as unknown as Account
const equipment: Partial<AccountCharge> = { id: 'gi', kind: 'equipment', amount: 40, owed: 40 }
const march: Partial<AccountCharge> = { id: null, kind: 'month', ...MARCH, amount: 100, owed: 100 }

/** Values of `isForMonth`: what the dialog was opened to pay. */
const FOR_MONTH = true
const FOR_STUDENT = false
const suggestValues = (target: PaymentTarget, isForMonth: boolean) =>
  getInitialValues('payment', ken, createAccount(), target, isForMonth)
const createRequest = (target: PaymentTarget, isForMonth: boolean, change: object = {}) =>
  toRequest({ ...suggestValues(target, isForMonth), ...change }, ken.id, target)

test('suggests paying a due month and everything else owed', () => {
  const target = findPaymentTarget(createAccount(march, equipment), MARCH, PRICE, 'due')
  expect(suggestValues(target, FOR_STUDENT)).toMatchObject({ amount: '140.00', toward: 'month' })
  expect(describeEffect({ amount: '140', toward: 'month' }, target)).toBe('Pays everything owed.')
})

test('subtracts unused credit from the suggested amount', () => {
  const accountWithCredit = { ...createAccount(march, equipment), credit: 60 }
  const target = findPaymentTarget(accountWithCredit, MARCH, PRICE, 'due')
  expect(suggestValues(target, FOR_STUDENT)).toMatchObject({ amount: '80.00', toward: 'month' })
  expect(describeEffect({ amount: '80', toward: 'month' }, target)).toBe('Pays everything owed.')
  expect(describeEffect({ amount: '90', toward: 'month' }, target)).toBe('$10.00 goes to credit.')
})

test('does not suggest money that is already on its way from a bank', () => {
  const accountWithDebit = { ...createAccount(march, equipment), on_its_way: 100 }
  const target = findPaymentTarget(accountWithDebit, MARCH, PRICE, 'due')
  expect(suggestValues(target, FOR_MONTH)).toMatchObject({ amount: '40.00', toward: 'oldest' })
  expect(createRequest(target, FOR_MONTH)).toMatchObject({ body: { amount: 40, toward: null } })
  expect(createRequest(target, FOR_MONTH, { even_if_on_its_way: true })).toMatchObject({
    body: { even_if_on_its_way: true },
  })
})

test('marks the charges that were paid online among those that can be refunded', () => {
  const line = { kind: 'payment', amount: -40, reverses: null } as const
  const paidAccount = {
    ...createAccount({ ...equipment, owed: 0 }, { ...equipment, id: 'belt', owed: 0 }),
    lines: [
      { ...line, id: 'a', charge_id: 'gi', method: 'online' },
      { ...line, id: 'b', charge_id: 'belt', method: 'cash' },
    ],
  } as unknown as Account
  expect(listRefundOptions(paidAccount)).toMatchObject([
    { id: 'belt', amount: 40, isPaidOnline: false },
    { id: 'gi', amount: 40, isPaidOnline: true },
  ])
})

test('suggests a month with nothing due only if the dialog was opened for it', () => {
  const target = findPaymentTarget(createAccount(equipment), MARCH, PRICE, 'nothing_due')
  expect(suggestValues(target, FOR_STUDENT)).toMatchObject({ amount: '40.00', toward: 'oldest' })
  expect(createRequest(target, FOR_STUDENT)).toMatchObject({ body: { amount: 40, toward: null } })
  expect(suggestValues(target, FOR_MONTH)).toMatchObject({ amount: '100.00', toward: 'month' })
  expect(createRequest(target, FOR_MONTH)).toMatchObject({ body: { amount: 100, toward: MARCH } })
  expect(canChooseMonth(target)).toBe(true)
})

test('suggests what is owed before the current month, which would be charged, too', () => {
  const target = findPaymentTarget(createAccount(equipment), thisMonth(), PRICE, 'nothing_due')
  expect(suggestValues(target, FOR_MONTH)).toMatchObject({ amount: '40.00', toward: 'oldest' })
})

test('explains a payment for a month with nothing due, before and after it is saved', () => {
  const target = findPaymentTarget(createAccount(), MARCH, PRICE, 'nothing_due')
  expect(describeEffect({ amount: '100', toward: 'month' }, target)).toBe(
    'Nothing is due for March 2027. This pays for it anyway.',
  )
  expect(describeEffect({ amount: '120', toward: 'month' }, target)).toBe(
    'Nothing is due for March 2027. $20.00 goes to credit.',
  )
  expect(describeEffect({ amount: '20', toward: 'oldest' }, target)).toBe(
    'Nothing is due for March 2027. $20.00 goes to credit.',
  )
  expect(describeResult(suggestValues(target, FOR_MONTH), ken, createAccount(), target)).toEqual({
    name: 'Ken Adams',
    message: 'paid $100.00 for March 2027',
  })
})

test('suggests no amount for a free or settled month, and turns a payment into credit', () => {
  for (const target of [
    findPaymentTarget(createAccount(), MARCH, 0, 'nothing_due'),
    findPaymentTarget(createAccount(), MARCH, 80, 'settled'),
  ]) {
    expect(suggestValues(target, FOR_MONTH).amount).toBe('')
    expect(canChooseMonth(target)).toBe(false)
    expect(createRequest(target, FOR_MONTH, { amount: '15' })).toMatchObject({
      body: { amount: 15, toward: null },
    })
    expect(describeEffect({ amount: '15', toward: 'month' }, target)).toContain(
      '$15.00 goes to credit.',
    )
  }
})
