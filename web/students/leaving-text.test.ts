import type { LeavingImpact } from '@tatami/contract/students/leaving'
import { expect, test } from 'vitest'
import { formatDate } from '../lib/dates.ts'
import { listEndedItems, listKeptItems, sumOwedOnLeaving } from './leaving-text.ts'

const ken = { name: 'Ken Adams', email: 'ken@example.com' }
const NO_IMPACT: LeavingImpact = {
  classes: [],
  plans: [],
  gradings: [],
  places: 0,
  has_pin: false,
  log_in: 'none',
  guardians: [],
  sibling_prices: [],
  owed: 0,
  owed_this_month: 0,
  credit: 0,
  autopay: 'none',
}
const terms = { beltTest: 'Belt test', nextMonth: 'December 2026' }
const createItem = (name: string) => ({ id: name, name })

test('lists everything that ends when a student leaves', () => {
  const impact: LeavingImpact = {
    ...NO_IMPACT,
    classes: [createItem('Kids'), createItem('Teens')],
    gradings: [createItem('Spring')],
    places: 2,
    has_pin: true,
    log_in: 'ends',
    sibling_prices: [{ ...createItem('Mia Adams'), before: 76.5, after: 85 }],
  }
  expect(listEndedItems(ken, impact, terms)).toEqual([
    'Classes: Kids and Teens',
    '2 places and waitlist spots',
    'Belt test: Spring',
    'Monthly fees, reminders and all other texts',
    'Check-in at the kiosk with a PIN',
    'The login ken@example.com',
    'Mia Adams’s sibling price: $85.00 instead of $76.50 starting December 2026',
  ])
  expect(listEndedItems(ken, NO_IMPACT, terms)).toEqual([
    'Monthly fees, reminders and all other texts',
  ])
})

test('says what becomes of autopay', () => {
  const itemsWith = (autopay: LeavingImpact['autopay']) =>
    listEndedItems(ken, { ...NO_IMPACT, autopay }, terms)
  expect(itemsWith('ends')).toContain(
    'Autopay. The payer is told. What is still owed has to be paid another way',
  )
  expect(itemsWith('goes_on')).toContain(
    'Autopay for Ken. It continues for the payer’s other students',
  )
})

test('lists everything that is kept when a student leaves', () => {
  const impact: LeavingImpact = { ...NO_IMPACT, guardians: [createItem('Ann Adams')], credit: 30 }
  expect(listKeptItems(ken, impact)).toEqual([
    'All history: attendance, belts, payments and texts. Find it under Former',
    'The login of Ann Adams, who will see no other students',
    '$30.00 credit. You can refund it',
    'Ken’s place in the family. You can re-enroll Ken at any time',
  ])
})

test('counts the current month as owed only if the last day is in it', () => {
  const impact = { ...NO_IMPACT, owed: 25, owed_this_month: 100 }
  expect([sumOwedOnLeaving(impact, true), sumOwedOnLeaving(impact, false)]).toEqual([125, 25])
})

test('names each plan that ends, with its last payment and the term that this breaks', () => {
  const plan = { ...createItem('Kids'), bound_until: null, last_payment: null, credit: 0 }
  const plans = [
    plan,
    { ...plan, bound_until: '2027-04-30', last_payment: { due_on: '2026-11-01', amount: 30 } },
    { ...plan, credit: 45 },
  ]
  expect(listEndedItems(ken, { ...NO_IMPACT, plans }, terms).slice(0, 3)).toEqual([
    'The plan Kids',
    `The plan Kids. Its minimum term would run until ${formatDate('2027-04-30')}. ` +
      `Its last payment is $30.00 on ${formatDate('2026-11-01')}`,
    'The plan Kids. $45.00 that was paid for it becomes credit',
  ])
})
