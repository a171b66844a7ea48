import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { sumDollars } from '@tatami/contract/lib/money'
import { classesApi } from '@tatami/contract/classes/classes'
import { type Balance, ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import {
  type PaymentRecord,
  isFreeMonth,
  type MonthDue,
  type MonthState,
  monthStateOf,
} from '@tatami/contract/ledger/payment-records'
import { isListed, isPaying, paymentsApi, statisticsOf } from '@tatami/contract/dues/payments'
import { pricesApi } from '@tatami/contract/dues/prices'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useMemo } from 'react'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { type OnlineState, useOnlineStudents } from './use-online-students.ts'
import type { MonthStatus } from './payment-form.ts'
import { recordsQuery, type ReducedPrice } from './payment-reads.ts'

/** Without records, everyone shows as unpaid (specification, section 7). */
export function usePayments(month: Month) {
  const studentList = useRetryingQuery(endpointQuery(studentsApi.list))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const records = useRetryingQuery(recordsQuery(month))
  const prices = useRetryingQuery(endpointQuery(pricesApi.reduced, { query: month }))
  const statistics = useAllowedQuery(paymentsApi.statistics, { query: month })
  const balances = useAllowedQuery(ledgerApi.balances)
  const dues = useRetryingQuery(endpointQuery(paymentsApi.dues, { query: month }))
  const promises = useAllowedQuery(owingApi.promises)
  const onlineStudents = useOnlineStudents()
  const allStudents = studentList.data
  const students = useMemo(
    () =>
      (allStudents ?? [])
        .filter(isListed)
        .toSorted((a, b) => Number(a.is_trial) - Number(b.is_trial)),
    [allStudents],
  )
  const getStudentMonth = useMemo(
    () =>
      createMonthLookup({
        records: records.data,
        areRecordsUnavailable: records.isUnavailable,
        prices: prices.data,
        balances: balances.data,
        dues: dues.data,
        promises: promises.data,
        onlineStudents,
      }),
    [
      records.data,
      records.isUnavailable,
      prices.data,
      balances.data,
      dues.data,
      promises.data,
      onlineStudents,
    ],
  )
  const isPending =
    studentList.isPending || records.isPending || classes.isPending || dues.isPending
  // Only the server knows the revenue from students who have been deleted.
  const shownStatistics =
    allStudents && !isPending
      ? statisticsOf(
          allStudents,
          records.data ?? EMPTY_LIST,
          dues.data ?? estimateDues(allStudents),
          statistics.data?.revenue_of_deleted_students,
        )
      : statistics.data
  return {
    /** Paying students first, then those on trial, who owe nothing. */
    students,
    classes: classes.data ?? EMPTY_LIST,
    getStudentMonth,
    isPending,
    /** True if any student's family pays online. */
    hasOnlineStudents: (onlineStudents?.length ?? 0) > 0,
    onRetry: studentList.isUnavailable ? studentList.retry : undefined,
    onRetryRecords: records.isUnavailable ? records.retry : undefined,
    onRetryBalances: balances.isUnavailable ? balances.retry : undefined,
    /** The payments that a reset would undo; undefined until they are loaded. */
    resettable: allStudents && records.data && findResettableRecords(allStudents, records.data),
    // Without records, the list shows everyone as unpaid, even students on trial.
    statistics:
      shownStatistics && records.isUnavailable
        ? { ...shownStatistics, total_yet_to_pay: students.length }
        : shownStatistics,
  }
}
export type Payments = ReturnType<typeof usePayments>

const EMPTY_LIST: [] = []
const isPaid = ({ payment_status }: PaymentRecord) => payment_status === 'paid'

function findResettableRecords(students: readonly Student[], records: readonly PaymentRecord[]) {
  const payingIds = new Set(students.filter(isPaying).map(({ id }) => id))
  return records.filter(
    (record) => isPaid(record) && !isFreeMonth(record) && payingIds.has(record.student_id),
  )
}

const estimateDues = (students: readonly Student[]): MonthDue[] =>
  students.filter(isPaying).map(({ id: student_id, monthly_payment_amount: fee }) => {
    const cost = fee ?? 0
    return { student_id, cost, received: 0, owed: cost, since: '' }
  })

type WithStudentId = { student_id: string }
type MonthData = {
  records: readonly PaymentRecord[] | undefined
  areRecordsUnavailable: boolean
  prices: readonly (ReducedPrice & WithStudentId)[] | undefined
  balances: readonly Balance[] | undefined
  dues: readonly MonthDue[] | undefined
  promises: readonly (WithStudentId & { promised_on: string })[] | undefined
  onlineStudents: readonly OnlineState[] | undefined
}

/** An unconfirmed month shows as unpaid, because the payment records could not be loaded. */
export type PaymentState = MonthState | 'unconfirmed'

/** One student's month as the list shows it. Amounts are in dollars. */
export type StudentMonth = {
  state: PaymentState
  /** True if the month was settled with $0. Mark Unpaid undoes that. */
  isFree: boolean
  /** A price below the student's fee: the recorded one, or the one that applies today. */
  price: ReducedPrice | undefined
  balance: Balance | undefined
  paidAt: string | undefined
  promisedOn: string | undefined
  /** Undefined if nobody pays for the student online. */
  online: OnlineState | undefined
  cost: number
  received: number
  due: number
}
export type GetStudentMonth = (student: Student) => StudentMonth

/** True if this month and an older one are unpaid. Mark Paid then says which month it pays. */
export const owesOlderMonth = ({ state, balance }: StudentMonth, month: Month): boolean =>
  state === 'unpaid' && !!balance?.owed_since && balance.owed_since < firstDayOf(month)

export function findMonthStatus({ state, isFree }: StudentMonth): MonthStatus {
  if (state === 'paid' || isFree) return 'settled'
  return state === 'nothing_due' ? 'nothing_due' : 'due'
}

const mapByStudent = <Row extends WithStudentId>(rows: readonly Row[] | undefined) =>
  new Map(rows?.map((row) => [row.student_id, row]))

function createMonthLookup({
  records,
  areRecordsUnavailable,
  ...data
}: MonthData): GetStudentMonth {
  const paidRecords = mapByStudent(records?.filter(isPaid))
  const prices = mapByStudent(data.prices)
  const balances = mapByStudent(data.balances)
  const dues = mapByStudent(data.dues)
  const promises = mapByStudent(data.promises)
  const onlineStudents = mapByStudent(data.onlineStudents)
  return (student) => {
    const record = paidRecords.get(student.id)
    const price = record ? findRecordedPrice(record) : prices.get(student.id)
    const due = data.dues ? dues.get(student.id) : estimateDues([student])[0]
    const cost = due?.cost ?? price?.amount ?? student.monthly_payment_amount ?? 0
    const receivedAmount = due?.received ?? 0
    return {
      state: areRecordsUnavailable && !record ? 'unconfirmed' : monthStateOf(record, due),
      isFree: record !== undefined && isFreeMonth(record),
      price,
      balance: balances.get(student.id),
      paidAt: record?.marked_at,
      promisedOn: promises.get(student.id)?.promised_on,
      online: onlineStudents.get(student.id),
      cost,
      received: receivedAmount,
      due: sumDollars([cost, -receivedAmount]),
    }
  }
}

function findRecordedPrice({ price_reason, monthly_payment_amount }: PaymentRecord) {
  return price_reason === null
    ? undefined
    : { amount: monthly_payment_amount, reason: price_reason }
}
