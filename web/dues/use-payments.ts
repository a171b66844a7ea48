import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { sumDollars } from '@tatami/contract/lib/money'
import { classesApi } from '@tatami/contract/classes/classes'
import { type Balance, ledgerApi } from '@tatami/contract/ledger/ledger'
import { useQuery } from '@tanstack/react-query'
import { owingApi, type PaymentPromise } from '@tatami/contract/dues/owing'
import {
  type PaymentRecord,
  isFreeMonth,
  type MonthDue,
  type MonthState,
  monthStateOf,
} from '@tatami/contract/ledger/payment-records'
import {
  isListed,
  isPaying,
  paymentsApi,
  type PaymentStatistics,
  statisticsOf,
} from '@tatami/contract/dues/payments'
import { pricesApi } from '@tatami/contract/dues/prices'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useMemo } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import type { MonthStanding } from './payment-form.ts'
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
  const balances = useRetryingQuery(endpointQuery(ledgerApi.balances))
  const dues = useRetryingQuery(endpointQuery(paymentsApi.dues, { query: month }))
  const { data: promises } = useQuery(endpointQuery(owingApi.promises))
  const isPending = students.isPending || records.isPending || classes.isPending || dues.isPending
  const listed = useMemo(() => listedOf(students.data ?? []), [students.data])
  const factsOf = useMemo(
    () =>
      factsFrom({
        records: records.data,
        isUnavailable: records.isUnavailable,
        reduced: reduced.data,
        balances: balances.data,
        dues: dues.data,
        promises,
      }),
    [records.data, records.isUnavailable, reduced.data, balances.data, dues.data, promises],
  )
  const shownStatistics = statisticsShown(
    students.data,
    isPending ? undefined : (records.data ?? NONE),
    dues.data,
    statistics.data,
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
    statistics: records.isUnavailable ? withAllUnpaid(shownStatistics, listed) : shownStatistics,
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
  return records.filter(
    (record) => isPaid(record) && !isFreeMonth(record) && payingIds.has(record.student_id),
  )
}

/**
 * As soon as the rows are there the tiles are calculated from the same data, so that the two never disagree. Only the server knows what
 * came from students who have been deleted since.
 */
function statisticsShown(
  students: Student[] | undefined,
  records: PaymentRecord[] | undefined,
  dues: MonthDue[] | undefined,
  fromServer: PaymentStatistics | undefined,
): PaymentStatistics | undefined {
  if (!students || !records) return fromServer
  const expected = dues ?? expectedDues(students)
  return statisticsOf(students, records, expected, fromServer?.revenue_of_deleted_students)
}

/** Without records everyone is listed as unpaid, on trial or not, and the tile says how many those are. */
const withAllUnpaid = (
  statistics: PaymentStatistics | undefined,
  listed: readonly Student[],
): PaymentStatistics | undefined => statistics && { ...statistics, total_yet_to_pay: listed.length }

/** What is asked as far as the list of students says, where the server cannot: the fee of whoever pays one. */
const expectedDues = (students: readonly Student[]): MonthDue[] =>
  students.filter(isPaying).map(({ id: student_id, monthly_payment_amount: fee }) => {
    const cost = fee ?? 0
    return { student_id, cost, received: 0, owed: cost, since: '' }
  })

type Known = {
  records: readonly PaymentRecord[] | undefined
  isUnavailable: boolean
  reduced: readonly (ReducedPrice & { student_id: string })[] | undefined
  balances: readonly Balance[] | undefined
  dues: readonly MonthDue[] | undefined
  promises: readonly (PaymentPromise & { student_id: string })[] | undefined
}

/** What is known of one student's month. */
export type Facts = {
  state: PaymentState
  /** The month was settled with $0, which Mark Unpaid takes back. */
  isFree: boolean
  /** What the month costs less than the student's fee, and why: as it was recorded, or as it would be. */
  price: ReducedPrice | undefined
  /** Over all months. */
  balance: Balance | undefined
  /** The instant at which the month was marked paid. */
  paidAt: string | undefined
  /** The day on which somebody has said that it will be paid. */
  promisedOn: string | undefined
  /** What the month costs in all, and how much of it has come. */
  cost: number
  received: number
  /** What Mark Paid takes: what is left of the month. */
  due: number
}
export type FactsOf = (student: Student) => Facts

/** Whether something from before this unpaid month is owed, too: then Mark Paid says which month it pays. */
export const owesOlderMonth = ({ state, balance }: Facts, month: Month): boolean =>
  state === 'unpaid' && !!balance?.owed_since && balance.owed_since < firstDayOf(month)

/** What the sheet of payments is told of the month. */
export function standingOf({ state, isFree }: Facts): MonthStanding {
  if (state === 'paid' || isFree) return 'settled'
  return state === 'nothing_due' ? 'nothing_due' : 'due'
}

function factsFrom({ records, isUnavailable, reduced, balances, dues, promises }: Known): FactsOf {
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
  const dueOf = new Map(dues?.map((due) => [due.student_id, due]))
  return (student) => {
    const { id, monthly_payment_amount: fee } = student
    const record = paid.get(id)
    const price = record ? recordedPrices.get(id) : reducedPrices.get(id)
    const due = dues ? dueOf.get(id) : expectedDues([student])[0]
    const cost = due?.cost ?? price?.amount ?? fee ?? 0
    const received = due?.received ?? 0
    return {
      state: isUnavailable && !record ? 'unconfirmed' : monthStateOf(record, due),
      isFree: record !== undefined && isFreeMonth(record),
      price,
      balance: balanceOf.get(id),
      paidAt: record?.marked_at,
      promisedOn: promisedOn.get(id),
      cost,
      received,
      due: sumDollars([cost, -received]),
    }
  }
}

/** A student's status in a month. Without records everyone counts as unpaid (specification, section 7), which is unconfirmed. */
export type PaymentState = MonthState | 'unconfirmed'
