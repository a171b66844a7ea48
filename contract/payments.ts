import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { month, year } from './fields.ts'
import { monthQuery, paymentMark, type PaymentRecord, paymentRecord } from './payment-records.ts'
import type { Student } from './students.ts'

export const PAYMENT_FILTERS = ['all', 'paid', 'unpaid', 'yet_to_pay'] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number]

export const paymentStatistics = z.object({
  total_monthly_paying_students: z.number(),
  total_paid_this_month: z.number(),
  total_yet_to_pay: z.number(),
  monthly_revenue: z.number(),
  /** The part of the revenue that came from students who have been deleted since. */
  revenue_of_deleted_students: z.number(),
})
export type PaymentStatistics = z.output<typeof paymentStatistics>

type PayingStatus = Pick<Student, 'id' | 'is_trial' | 'on_vacation'>
/** The payment list has everyone who is not on vacation. */
export const isListed = (student: PayingStatus): boolean => !student.on_vacation
/** A student is expected to pay when listed and not on trial. */
export const isPaying = (student: PayingStatus): boolean => isListed(student) && !student.is_trial

type RecordedPayment = Pick<
  PaymentRecord,
  'student_id' | 'payment_status' | 'monthly_payment_amount'
>
/** A month's figures, calculated from the lists (product.md, section 5); the server calculates its own in SQL. Revenue is in dollars, exact to the cent. */
export function statisticsOf(
  students: PayingStatus[],
  records: RecordedPayment[],
  revenueOfDeletedStudents = 0,
): PaymentStatistics {
  const paid = new Map(
    records
      .filter((record) => record.payment_status === 'paid')
      .map((record) => [record.student_id, record]),
  )
  const payers = students.filter(isPaying)
  const paidPayers = payers.filter(({ id }) => paid.has(id))
  const cents = [...paid.values()].reduce(
    (sum, record) => sum + Math.round(record.monthly_payment_amount * 100),
    Math.round(revenueOfDeletedStudents * 100),
  )
  return {
    total_monthly_paying_students: payers.length,
    total_paid_this_month: paidPayers.length,
    total_yet_to_pay: payers.length - paidPayers.length,
    monthly_revenue: cents / 100,
    revenue_of_deleted_students: revenueOfDeletedStudents,
  }
}

/** 'Yet to pay' equals unpaid in the filter (specification, section 4). */
export const matchesPaymentFilter = (filter: PaymentFilter, isPaid: boolean): boolean =>
  filter === 'all' || (filter === 'paid') === isPaid

const resetMonth = z.object({ payment_month: month.optional(), payment_year: year.optional() })
export type ResetMonth = z.output<typeof resetMonth>

export const paymentsApi = {
  statistics: {
    method: 'GET',
    path: '/payment-statistics',
    access: 'instructor',
    summary: "A month's figures",
    query: monthQuery,
    reply: paymentStatistics,
  },
  list: {
    method: 'GET',
    path: '/payment-records',
    access: 'instructor',
    summary: "A month's payment records; no record is unpaid",
    query: monthQuery,
    reply: z.array(paymentRecord),
  },
  mark: {
    method: 'POST',
    path: '/payment-records',
    access: 'instructor',
    summary: "Mark a student's month paid or unpaid",
    body: paymentMark,
    /** `act_id` is what undo takes back; null where nothing changed. */
    reply: paymentRecord.extend({ act_id: z.uuid().nullable() }),
  },
  reset: {
    method: 'POST',
    path: '/reset-monthly-payments',
    access: 'instructor',
    summary: "Set a month's paying students to unpaid",
    idempotent: true,
    body: resetMonth,
    /** `total` is the money that was taken back, in dollars. */
    reply: z.object({
      students_reset: z.number(),
      total_paying_students: z.number(),
      message: z.string(),
      act_id: z.uuid(),
      total: z.number(),
    }),
  },
} as const satisfies Api
