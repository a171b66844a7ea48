import { isPaying, matchesPaymentFilter, PAYMENT_FILTERS } from '@tatami/contract/dues/payments'
import type { Student } from '@tatami/contract/students/students'
import type { PaymentState } from './use-payments.ts'

/** The specified filters, and the one of the first tile: paying students, without those on trial. */
export const LIST_FILTERS = [...PAYMENT_FILTERS, 'paying'] as const
export type ListFilter = (typeof LIST_FILTERS)[number]

/** Whether a filter lists a student. One whose status is not confirmed counts as unpaid. */
export function isInFilter(filter: ListFilter, student: Student, state: PaymentState): boolean {
  if (filter === 'paying') return isPaying(student)
  return matchesPaymentFilter(filter, state === 'unconfirmed' ? 'unpaid' : state)
}
