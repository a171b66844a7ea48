import { classesApi } from '@tatami/contract/classes'
import { type BalanceInMonth, ledgerApi } from '@tatami/contract/ledger'
import { useQuery } from '@tanstack/react-query'
import type { Month } from '@tatami/contract/month'
import { owingApi, type PaymentPromise } from '@tatami/contract/owing'
import type { PaymentRecord } from '@tatami/contract/payment-records'
import {
  isListed,
  isPaying,
  paymentsApi,
  type PaymentStatistics,
  statisticsOf,
} from '@tatami/contract/payments'
import { pricesApi } from '@tatami/contract/prices'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useMemo } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { recordsQuery, type ReducedPrice } from './payment-reads.ts'

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
  const balances = useRetryingQuery(endpointQuery(ledgerApi.balances, { query: month }))
  const { data: promises } = useQuery(endpointQuery(owingApi.promises))
  const isPending = students.isPending || records.isPending || classes.isPending
  const listed = useMemo(() => listedOf(students.data ?? []), [students.data])
  const factsOf = useMemo(
    () =>
      factsFrom({
        records: records.data,
        isUnavailable: records.isUnavailable,
        reduced: reduced.data,
        balances: balances.data,
        promises,
      }),
    [records.data, records.isUnavailable, reduced.data, balances.data, promises],
  )
  return {
    /** Paying students first, then those on trial, who owe nothing. */
    students: listed,
    classes: classes.data ?? NONE,
    factsOf,
    /** Defined when the payment records could not be loaded. */
    onRetryRecords: records.isUnavailable ? records.retry : undefined,
    /** Defined when what is owed over all months could not be loaded. */
    onRetryBalances: balances.isUnavailable ? balances.retry : undefined,
    /** The payments that a reset takes back; undefined until they are known. */
    resettable: students.data && records.data && resettableOf(students.data, records.data),
    statistics: statisticsShown(
      students.data,
      isPending ? undefined : (records.data ?? NONE),
      statistics.data,
    ),
    isPending,
    /** Defined when the students could not be loaded. */
    onRetry: students.isUnavailable ? students.retry : undefined,
  }
}

const NONE: [] = []
const listedOf = (students: readonly Student[]) =>
  students.filter(isListed).toSorted((a, b) => Number(a.is_trial) - Number(b.is_trial))
const isPaid = ({ payment_status }: PaymentRecord) => payment_status === 'paid'

function resettableOf(students: readonly Student[], records: readonly PaymentRecord[]) {
  const payingIds = new Set(students.filter(isPaying).map(({ id }) => id))
  return records.filter((record) => isPaid(record) && payingIds.has(record.student_id))
}

/**
 * As soon as the rows are there the tiles are calculated from the same data, so that the two never disagree. Only the server knows what
 * came from students who have been deleted since.
 */
function statisticsShown(
  students: Student[] | undefined,
  records: PaymentRecord[] | undefined,
  fromServer: PaymentStatistics | undefined,
): PaymentStatistics | undefined {
  if (!students || !records) return fromServer
  return statisticsOf(students, records, fromServer?.revenue_of_deleted_students)
}

type Known = {
  records: readonly PaymentRecord[] | undefined
  isUnavailable: boolean
  reduced: readonly (ReducedPrice & { student_id: string })[] | undefined
  balances: readonly BalanceInMonth[] | undefined
  promises: readonly (PaymentPromise & { student_id: string })[] | undefined
}

/** What is known of one student's month. */
export type Facts = {
  state: PaymentState
  /** What the month costs less than the student's fee, and why: as it was recorded, or as it would be. */
  price: ReducedPrice | undefined
  /** Over all months. */
  balance: BalanceInMonth | undefined
  /** The day on which somebody has said that it will be paid. */
  promisedOn: string | undefined
  /** What Mark Paid takes: the price, or what is left of what was charged. */
  due: number
}
export type FactsOf = (student: Student) => Facts

function factsFrom({ records, isUnavailable, reduced, balances, promises }: Known): FactsOf {
  const paid = new Map(records?.filter(isPaid).map((record) => [record.student_id, record]))
  const recordedPrices = new Map(
    [...paid].map(([id, { price_reason: reason, monthly_payment_amount: amount }]) => [
      id,
      reason === null ? undefined : { amount, reason },
    ]),
  )
  const reducedPrices = new Map(reduced?.map((price) => [price.student_id, price]))
  const promisedOn = new Map(promises?.map((promise) => [promise.student_id, promise.promised_on]))
  const balanceOf = new Map(balances?.map((balance) => [balance.student_id, balance]))
  return ({ id, monthly_payment_amount: fee }) => {
    const price = paid.has(id) ? recordedPrices.get(id) : reducedPrices.get(id)
    const balance = balanceOf.get(id)
    return {
      state: paid.has(id) ? 'paid' : isUnavailable ? 'unconfirmed' : 'unpaid',
      price,
      balance,
      promisedOn: promisedOn.get(id),
      due: balance?.month_owed ?? price?.amount ?? fee ?? 0,
    }
  }
}

/** A student's status in a month. Without records everyone counts as unpaid (specification, section 7), which is unconfirmed. */
export type PaymentState = 'paid' | 'unpaid' | 'unconfirmed'
