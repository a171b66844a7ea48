import { classesApi } from '@tatami/contract/classes'
import type { Month } from '@tatami/contract/month'
import { isListed, isPaying, paymentsApi, statisticsOf } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** What a month's payment list is made of. Records that cannot be loaded leave everyone unpaid, and statistics that cannot are
 *  worked out from the list (specification, section 7). */
export function usePayments(month: Month) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const records = useRetryingQuery(recordsQuery(month))
  const statistics = useRetryingQuery(endpointQuery(paymentsApi.statistics, { query: month }))
  const everybody = students.data ?? [],
    marks = records.data ?? []
  const paid = marks.filter((record) => record.payment_status === 'paid')
  const payers = new Set(everybody.filter(isPaying).map(({ id }) => id))
  const isPending = students.isPending || records.isPending || classes.isPending
  const payersOf = new Set(paid.map((record) => record.student_id))
  const stateOf = ({ id }: Student): PaymentState => (payersOf.has(id) ? 'paid' : records.isUnavailable ? 'unconfirmed' : 'unpaid')
  return {
    /** Those who pay, and after them those on trial, who owe nothing. */
    students: everybody.filter(isListed).toSorted((one, other) => Number(one.is_trial) - Number(other.is_trial)),
    classes: classes.data ?? [],
    stateOf,
    /** Where it could not be loaded who has paid. */
    onRetryRecords: records.isUnavailable ? records.retry : undefined,
    /** What a reset takes back, where it is known. */
    resettable: students.data && records.data && paid.filter((record) => payers.has(record.student_id)),
    statistics: statistics.data ?? (statistics.isUnavailable && students.data && !isPending ? statisticsOf(everybody, marks) : undefined),
    isPending,
    /** Only where the list could not be loaded. */
    onRetry: students.isUnavailable ? students.retry : undefined,
  }
}

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })

/** A student's month. While the records could not be loaded everyone counts as unpaid (specification, section 7), but unconfirmed. */
export type PaymentState = 'paid' | 'unpaid' | 'unconfirmed'
