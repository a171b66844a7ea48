import { classesApi } from '@tatami/contract/classes'
import { useQuery } from '@tanstack/react-query'
import { type Month, monthOfDate } from '@tatami/contract/month'
import { isListed, isPaying, paymentsApi, statisticsOf } from '@tatami/contract/payments'
import { pricesApi } from '@tatami/contract/prices'
import { type Student, studentsApi } from '@tatami/contract/students'
import { today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/**
 * The data of a month's payment list. When the records cannot be loaded everyone is unpaid, and when the statistics cannot they are
 * calculated from the list (specification, section 7).
 */
export function usePayments(month: Month) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const records = useRetryingQuery(recordsQuery(month))
  // Until they are known, everyone is listed with their fee; the server knows what a mark records.
  const reduced = useRetryingQuery(endpointQuery(pricesApi.reduced, { query: month }))
  const statistics = useRetryingQuery(endpointQuery(paymentsApi.statistics, { query: month }))
  const allStudents = students.data ?? [],
    allRecords = records.data ?? []
  const paidRecords = allRecords.filter((record) => record.payment_status === 'paid')
  const payingIds = new Set(allStudents.filter(isPaying).map(({ id }) => id))
  const isPending = students.isPending || records.isPending || classes.isPending
  const paidIds = new Set(paidRecords.map((record) => record.student_id))
  const stateOf = ({ id }: Student): PaymentState => (paidIds.has(id) ? 'paid' : records.isUnavailable ? 'unconfirmed' : 'unpaid')
  const reducedPrices = new Map(reduced.data?.map((price) => [price.student_id, price]))
  const recordOf = new Map(paidRecords.map((record) => [record.student_id, record]))
  return {
    /** What a month costs less than the student's fee, and why: as it was recorded, or as it would be. */
    priceOf: ({ id }: Student): ReducedPrice | undefined => {
      const record = recordOf.get(id)
      if (!record) return reducedPrices.get(id)
      return record.price_reason === null ? undefined : { amount: record.monthly_payment_amount, reason: record.price_reason }
    },
    /** Paying students first, then those on trial, who owe nothing. */
    students: allStudents.filter(isListed).toSorted((a, b) => Number(a.is_trial) - Number(b.is_trial)),
    classes: classes.data ?? [],
    stateOf,
    /** Defined when the payment records could not be loaded. */
    onRetryRecords: records.isUnavailable ? records.retry : undefined,
    /** The payments that a reset takes back; undefined until they are known. */
    resettable: students.data && records.data && paidRecords.filter((record) => payingIds.has(record.student_id)),
    statistics:
      statistics.data ?? (statistics.isUnavailable && students.data && !isPending ? statisticsOf(allStudents, allRecords) : undefined),
    isPending,
    /** Defined when the students could not be loaded. */
    onRetry: students.isUnavailable ? students.retry : undefined,
  }
}

export const recordsQuery = (month: Month) => endpointQuery(paymentsApi.list, { query: month })

/** What a student pays less in the current month, and why. Only who has a payer can; nobody else's price is asked for. */
export function useReducedPrice({ id, guardians }: Student): { price: ReducedPrice | undefined; isPending: boolean } {
  const hasPayer = guardians.some(({ pays }) => pays)
  const { data, isPending } = useQuery({ ...endpointQuery(pricesApi.reduced, { query: monthOfDate(today()) }), enabled: hasPayer })
  return { price: data?.find(({ student_id }) => student_id === id), isPending: hasPayer && isPending }
}

export type ReducedPrice = { amount: number; reason: string }

/** A student's status in a month. Without records everyone counts as unpaid (specification, section 7), which is unconfirmed. */
export type PaymentState = 'paid' | 'unpaid' | 'unconfirmed'
