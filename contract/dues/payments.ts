import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { month, year } from '../lib/fields.ts'
import { sumDollars } from '../lib/money.ts'
import {
  type MonthDue,
  monthDue,
  type MonthState,
  monthStateOf,
  optionalMonthQuery,
  paymentMark,
  type PaymentRecord,
  paymentRecord,
} from '../ledger/payment-records.ts'

export const PAYMENT_FILTERS = ['all', 'paid', 'unpaid', 'yet_to_pay'] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number]

export const paymentStatistics = z.object({
  total_monthly_paying_students: z.number(),
  total_paid_this_month: z.number(),
  total_yet_to_pay: z.number(),
  monthly_revenue: z.number(),
  revenue_of_deleted_students: z.number(),
})
export type PaymentStatistics = z.output<typeof paymentStatistics>

type PayingStatus = { id: string; is_trial: boolean; on_vacation: boolean }
export const isListed = (student: PayingStatus): boolean => !student.on_vacation
export const isPaying = (student: PayingStatus): boolean => isListed(student) && !student.is_trial

type RecordedPayment = Pick<
  PaymentRecord,
  'student_id' | 'payment_status' | 'monthly_payment_amount'
>
/** A month's statistics in dollars. The server and the Payment Center share this function. */
export function statisticsOf(
  students: readonly PayingStatus[],
  records: readonly RecordedPayment[],
  dues: readonly MonthDue[],
  revenueOfDeletedStudents = 0,
): PaymentStatistics {
  const recordByStudent = new Map(records.map((record) => [record.student_id, record]))
  const dueByStudent = new Map(dues.map((due) => [due.student_id, due]))
  const states = students
    .filter(isListed)
    .map(({ id }) => monthStateOf(recordByStudent.get(id), dueByStudent.get(id)))
  const paidRecords = records.filter(({ payment_status }) => payment_status === 'paid')
  const paidIds = new Set(paidRecords.map(({ student_id }) => student_id))
  const partPayments = dues.filter(({ student_id }) => !paidIds.has(student_id))
  return {
    total_monthly_paying_students: students.filter(isPaying).length,
    total_paid_this_month: states.filter((state) => state === 'paid').length,
    total_yet_to_pay: states.filter((state) => state === 'unpaid').length,
    monthly_revenue: sumDollars([
      ...paidRecords.map(({ monthly_payment_amount }) => monthly_payment_amount),
      ...partPayments.map(({ received }) => received),
      revenueOfDeletedStudents,
    ]),
    revenue_of_deleted_students: revenueOfDeletedStudents,
  }
}

/** 'Yet to pay' equals unpaid in the filter (specification, section 4). */
export const matchesPaymentFilter = (filter: PaymentFilter, state: MonthState): boolean => {
  if (filter === 'all') return true
  return filter === 'paid' ? state === 'paid' : state === 'unpaid'
}

const resetMonth = z.object({ payment_month: month.optional(), payment_year: year.optional() })
export type ResetMonth = z.output<typeof resetMonth>

export const paymentsApi = {
  statistics: {
    method: 'GET',
    path: '/payment-statistics',
    access: 'instructor',
    right: 'money.see',
    summary: "A month's statistics, by default the current month's. Month 0 is January",
    query: optionalMonthQuery,
    reply: paymentStatistics,
  },
  list: {
    method: 'GET',
    path: '/payment-records',
    access: 'instructor',
    right: 'money.take',
    summary: "A month's payment records, by default the current month's. No record means unpaid",
    query: optionalMonthQuery,
    reply: z.array(paymentRecord),
  },
  dues: {
    method: 'GET',
    path: '/month-dues',
    access: 'instructor',
    right: 'money.take',
    summary: 'What a month costs each student, what was received and what is owed',
    query: optionalMonthQuery,
    reply: z.array(monthDue),
  },
  mark: {
    method: 'POST',
    path: '/payment-records',
    access: 'instructor',
    right: 'money.take',
    summary: "Mark a student's month paid or unpaid. The amount is what the month costs in total",
    body: paymentMark,
    reply: paymentRecord.extend({ act_id: z.uuid().nullable() }),
  },
  reset: {
    method: 'POST',
    path: '/reset-monthly-payments',
    access: 'instructor',
    right: 'money.give_back',
    summary: "Set a month's paying students to unpaid, by default the current month's",
    idempotent: true,
    body: resetMonth,
    reply: z.object({
      students_reset: z.number(),
      total_paying_students: z.number(),
      message: z.string(),
      act_id: z.uuid().nullable(),
      total: z.number(),
    }),
  },
} as const satisfies Api
