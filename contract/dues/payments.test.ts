import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paymentMark, type MonthState, monthStateOf } from '../ledger/payment-records.ts'
import {
  isListed,
  isPaying,
  matchesPaymentFilter,
  PAYMENT_FILTERS,
  type PaymentFilter,
  paymentsApi,
  statisticsOf,
} from './payments.ts'
import { validationErrors } from '../test/validation-errors.ts'

const STUDENT_ID = '01970000-0000-7000-8000-000000000001'
const validMark = {
  student_id: STUDENT_ID,
  monthly_payment_amount: 85.5,
  payment_month: 0,
  payment_year: 2026,
  payment_status: 'paid',
}

test('counts months from 0 and makes the amount optional', () => {
  expect(
    paymentMark.parse({ ...validMark, payment_month: 11, monthly_payment_amount: '' }),
  ).toEqual({
    ...validMark,
    payment_month: 11,
    monthly_payment_amount: null,
  })
})

test.each([
  ['payment_month', 12, 'Month must be 0 (January) to 11 (December)'],
  ['payment_month', -1, 'Month must be 0 (January) to 11 (December)'],
  ['payment_month', 1.5, 'Month must be 0 (January) to 11 (December)'],
  ['payment_year', 26, 'Year must be between 2000 and 2199'],
  ['payment_year', undefined, 'Year must be between 2000 and 2199'],
  ['payment_status', 'yet_to_pay', 'Payment status is not valid'],
  ['student_id', 'ken', 'Student is not valid'],
  ['monthly_payment_amount', -1, 'Monthly payment amount must be 0 or more'],
])('refuses %s %j: %s', (field, value, message) => {
  expect(validationErrors(paymentMark, { ...validMark, [field]: value })).toEqual({
    [field]: message,
  })
})

test('accepts a query with a month in digits or without a month', () => {
  const { query } = paymentsApi.list
  expect(query.parse({ month: '11', year: '2026' })).toEqual({ month: 11, year: 2026 })
  expect([query.parse({}), query.parse({ month: '', year: '' })]).toEqual([{}, {}])
  expect(validationErrors(query, { month: 'May', year: '2026' })).toEqual({
    month: 'Month must be 0 (January) to 11 (December)',
  })
})

describe('the statistics of a month', () => {
  const student = fc.record({
    id: fc.uuid(),
    is_trial: fc.boolean(),
    on_vacation: fc.boolean(),
    status: fc.constantFrom('paid' as const, 'unpaid' as const, null),
    amountCents: fc.integer({ min: 0, max: 100_000 }),
    receivedCents: fc.integer({ min: 0, max: 5_000 }),
    hasDues: fc.boolean(),
  })
  const studentLists = fc.uniqueArray(student, { selector: ({ id }) => id, maxLength: 30 })

  test('match the rows that each filter lists, with revenue exact to the cent', () => {
    fc.assert(
      fc.property(studentLists, (students) => {
        const records = students.flatMap(({ id: student_id, status, amountCents }) =>
          status
            ? [{ student_id, payment_status: status, monthly_payment_amount: amountCents / 100 }]
            : [],
        )
        const dues = students
          .filter(({ hasDues }) => hasDues)
          .map(({ id, amountCents, receivedCents }) => ({
            student_id: id,
            cost: (amountCents + receivedCents) / 100,
            received: receivedCents / 100,
            owed: amountCents / 100,
            since: '2027-03-01',
          }))
        const countRows = (filter: PaymentFilter) =>
          students.filter(isListed).filter(({ id }) => {
            const record = records.find(({ student_id }) => student_id === id)
            const due = dues.find(({ student_id }) => student_id === id)
            return matchesPaymentFilter(filter, monthStateOf(record, due))
          }).length
        let revenueCents = 0
        for (const { status, amountCents, hasDues, receivedCents } of students) {
          if (status === 'paid') revenueCents += amountCents
          else if (hasDues) revenueCents += receivedCents
        }
        expect(statisticsOf(students, records, dues)).toEqual({
          total_monthly_paying_students: students.filter(isPaying).length,
          total_paid_this_month: countRows('paid'),
          total_yet_to_pay: countRows('yet_to_pay'),
          monthly_revenue: revenueCents / 100,
          revenue_of_deleted_students: 0,
        })
        expect(countRows('unpaid')).toBe(countRows('yet_to_pay'))
      }),
    )
  })

  test('do not count a payment of $0 as paid', () => {
    const ken = { id: 'ken', is_trial: false, on_vacation: false }
    const freeRecord = {
      student_id: 'ken',
      payment_status: 'paid' as const,
      monthly_payment_amount: 0,
    }
    const due = { student_id: 'ken', cost: 80, received: 0, owed: 80, since: '2027-03-01' }
    for (const dues of [[], [due]])
      expect(statisticsOf([ken], [freeRecord], dues)).toMatchObject({
        total_paid_this_month: 0,
        total_yet_to_pay: 0,
        monthly_revenue: 0,
      })
    const paidRecord = { ...freeRecord, monthly_payment_amount: 0.01 }
    expect(statisticsOf([ken], [paidRecord], [])).toMatchObject({ total_paid_this_month: 1 })
  })

  test('count the payment of a trial student, although none is expected', () => {
    const records = [
      { student_id: 'ken', payment_status: 'paid' as const, monthly_payment_amount: 20.1 },
    ]
    const ken = { id: 'ken', is_trial: true, on_vacation: false }
    expect(statisticsOf([ken], records, [])).toEqual({
      total_monthly_paying_students: 0,
      total_paid_this_month: 1,
      total_yet_to_pay: 0,
      monthly_revenue: 20.1,
      revenue_of_deleted_students: 0,
    })
  })

  test('leave out students without dues, and count a partial payment as revenue', () => {
    const students = ['ken', 'mia', 'tim'].map((id) => ({
      id,
      is_trial: false,
      on_vacation: false,
    }))
    const due = { student_id: 'mia', cost: 95, received: 50, owed: 45, since: '2027-03-01' }
    expect(statisticsOf(students, [], [due])).toEqual({
      total_monthly_paying_students: 3,
      total_paid_this_month: 0,
      total_yet_to_pay: 1,
      monthly_revenue: 50,
      revenue_of_deleted_students: 0,
    })
  })
})

test('treats yet to pay as unpaid, and nothing due as neither paid nor unpaid', () => {
  const matchingFilters = (state: MonthState) =>
    PAYMENT_FILTERS.filter((filter) => matchesPaymentFilter(filter, state))
  expect([
    matchingFilters('paid'),
    matchingFilters('unpaid'),
    matchingFilters('nothing_due'),
  ]).toEqual([['all', 'paid'], ['all', 'unpaid', 'yet_to_pay'], ['all']])
})

test('leaves out students on vacation and lists trial students without expecting payment', () => {
  const ken = { id: 'ken', is_trial: false, on_vacation: false }
  const onVacation = { ...ken, on_vacation: true }
  const onTrial = { ...ken, is_trial: true }
  expect([isListed(ken), isPaying(ken)]).toEqual([true, true])
  expect([isListed(onVacation), isPaying(onVacation)]).toEqual([false, false])
  expect([isListed(onTrial), isPaying(onTrial)]).toEqual([true, false])
})
