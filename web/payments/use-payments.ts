import { useQuery } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { isListed, paymentsApi, statisticsOf } from '@tatami/contract/payments'
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
  const isPending = students.isPending || records.isPending || classes.isPending
  return {
    students: everybody.filter(isListed),
    classes: classes.data ?? [],
    paid: new Set(marks.filter((record) => record.payment_status === 'paid').map((record) => record.student_id)),
    statistics: statistics.data ?? (statistics.isError && !isPending ? statisticsOf(everybody, marks) : undefined),
    isPending,
    /** Only where the list could not be loaded. */
    onRetry: students.isError ? () => void students.refetch() : undefined,
  }
}

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })
