import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paymentMark } from './payment-records.ts'
import { isListed, isPaying, matchesPaymentFilter, paymentsApi, statisticsOf } from './payments.ts'
import { validationErrors } from './test/validation-errors.ts'

const id = '01970000-0000-7000-8000-000000000001'
const mark = {
  student_id: id,
  monthly_payment_amount: 85.5,
  payment_month: 0,
  payment_year: 2026,
  payment_status: 'paid',
}

test('counts months from 0 and makes the amount optional', () => {
  expect(paymentMark.parse({ ...mark, payment_month: 11, monthly_payment_amount: '' })).toEqual({
    ...mark,
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
])('%s %j: %s', (field, value, sentence) => {
  expect(validationErrors(paymentMark, { ...mark, [field]: value })).toEqual({ [field]: sentence })
})

test("reads a query's month in digits and makes it optional", () => {
  const { query } = paymentsApi.list
  expect(query.parse({ month: '11', year: '2026' })).toEqual({ month: 11, year: 2026 })
  expect([query.parse({}), query.parse({ month: '', year: '' })]).toEqual([{}, {}])
  expect(validationErrors(query, { month: 'May', year: '2026' })).toEqual({
    month: 'Month must be 0 (January) to 11 (December)',
  })
})

describe('the figures of a month', () => {
  const student = fc.record({ id: fc.uuid(), is_trial: fc.boolean(), on_vacation: fc.boolean() })
  const month = fc
    .uniqueArray(student, { selector: (one) => one.id, maxLength: 30 })
    .chain((students) =>
      fc.tuple(
        fc.constant(students),
        fc.subarray(students).chain((marked) =>
          fc.tuple(
            ...marked.map((one) =>
              fc.record({
                student_id: fc.constant(one.id),
                payment_status: fc.constantFrom('paid' as const, 'unpaid' as const),
                cents: fc.integer({ min: 0, max: 100_000 }),
              }),
            ),
          ),
        ),
      ),
    )

  test('splits paying students into paid and yet to pay, with revenue exact to the cent', () => {
    fc.assert(
      fc.property(month, ([students, marks]) => {
        const figures = statisticsOf(
          students,
          marks.map(({ cents, ...one }) => ({ ...one, monthly_payment_amount: cents / 100 })),
        )
        const cents = marks.reduce(
          (sum, one) => sum + (one.payment_status === 'paid' ? one.cents : 0),
          0,
        )
        expect(figures.total_monthly_paying_students).toBe(
          students.filter((one) => !one.is_trial && !one.on_vacation).length,
        )
        expect(figures.total_paid_this_month + figures.total_yet_to_pay).toBe(
          figures.total_monthly_paying_students,
        )
        expect(figures.monthly_revenue).toBe(cents / 100)
      }),
    )
  })

  test("counts a trial student's payment as revenue only", () => {
    const records = [
      { student_id: 'ken', payment_status: 'paid' as const, monthly_payment_amount: 20.1 },
    ]
    expect(statisticsOf([{ id: 'ken', is_trial: true, on_vacation: false }], records)).toEqual({
      total_monthly_paying_students: 0,
      total_paid_this_month: 0,
      total_yet_to_pay: 0,
      monthly_revenue: 20.1,
      revenue_of_deleted_students: 0,
    })
  })
})

test('treats yet to pay as unpaid', () => {
  const shown = (isPaid: boolean) =>
    (['all', 'paid', 'unpaid', 'yet_to_pay'] as const).filter((filter) =>
      matchesPaymentFilter(filter, isPaid),
    )
  expect([shown(true), shown(false)]).toEqual([
    ['all', 'paid'],
    ['all', 'unpaid', 'yet_to_pay'],
  ])
})

test('leaves out students on vacation and lists trial students without expecting payment', () => {
  const ken = { id: 'ken', is_trial: false, on_vacation: false }
  const seen = [ken, { ...ken, on_vacation: true }, { ...ken, is_trial: true }].map((student) => [
    isListed(student),
    isPaying(student),
  ])
  expect(seen).toEqual([
    [true, true],
    [false, false],
    [true, false],
  ])
})
