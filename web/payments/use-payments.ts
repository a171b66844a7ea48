import { useQuery } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { isListed, isPaying, paymentsApi, statisticsOf } from '@tatami/contract/payments'
import { studentsApi } from '@tatami/contract/students'
import { endpointQuery } from '../kernel/query.ts'
import type { Month } from './month.ts'

/** What a month's payment list is made of. Records that cannot be loaded leave everyone unpaid, and statistics that cannot are
 *  worked out from the list (specification, section 7). */
export function usePayments(month: Month) {
  const students = useQuery(endpointQuery(studentsApi.list))
  const classes = useQuery(endpointQuery(classesApi.list))
  const records = useQuery(recordsQuery(month))
  const statistics = useQuery(endpointQuery(paymentsApi.statistics, { query: month }))
  const everybody = students.data ?? [],
    marks = records.data ?? []
  const paid = marks.filter((record) => record.payment_status === 'paid')
  const payers = new Set(everybody.filter(isPaying).map(({ id }) => id))
  const isPending = students.isPending || records.isPending || classes.isPending
  return {
    /** Those who pay, and after them those on trial, who owe nothing. */
    students: everybody.filter(isListed).toSorted((one, other) => Number(one.is_trial) - Number(other.is_trial)),
    classes: classes.data ?? [],
    paid: new Set(paid.map((record) => record.student_id)),
    /** What a reset takes back, where it is known. */
    resettable: students.data && records.data && paid.filter((record) => payers.has(record.student_id)),
    statistics: statistics.data ?? (statistics.isError && students.data && !isPending ? statisticsOf(everybody, marks) : undefined),
    isPending,
    /** Only where the list could not be loaded. */
    onRetry: students.isError && !students.data ? () => void students.refetch() : undefined,
  }
}

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })
