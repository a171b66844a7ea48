import { useQueryClient } from '@tanstack/react-query'
import type { Month } from '@tatami/contract/month'
import { type PaymentRecord, paymentsApi } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useRef } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { type ReducedPrice, recordsQuery } from './use-payments.ts'

/** A mark that was saved, and the record that it replaced. */
export type Marked = { student: Student; month: Month; status: PaymentRecord['payment_status']; before: PaymentRecord | undefined }
export type MarkOptions = {
  month: Month
  /** What is shown instead of the student's fee until the server has answered. */
  price?: ReducedPrice | undefined
  /** Called at the click, before the server answers. */
  onMark?: (student: Student) => void
  onMarked?: (marked: Marked) => void
}

const withRecord = (records: PaymentRecord[] | undefined, record: PaymentRecord) => [
  ...(records ?? []).filter(({ student_id }) => student_id !== record.student_id),
  record,
]

/** The browser's alert (specification, section 8). */
export const MARK_FAILED = 'Failed to update payment status. Please try again.'

/** Marks one student's month optimistically and rolls back on an error; the marks of one student are sent one after the other. */
export function useMarkPayment(student: Student, { month, price, onMark, onMarked }: MarkOptions) {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(month)
  // The second click of a double click arrives before the first has rendered.
  const pendingStatus = useRef<string>(undefined)
  const { mutate } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${student.id}` },
    refreshes: [paymentsApi.statistics, studentsApi.list, studentsApi.show],
    onMutate: async ({ body }) => {
      onMark?.(student)
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)?.find(({ student_id }) => student_id === student.id)
      const now = new Date().toISOString()
      const amount = Number(body.monthly_payment_amount ?? price?.amount ?? student.monthly_payment_amount ?? 0)
      const price_reason = price?.amount === amount ? price.reason : null
      const record = { ...body, monthly_payment_amount: amount, price_reason, marked_at: now, updated_at: now }
      cache.setQueryData(queryKey, (records) => withRecord(records, record))
      return before
    },
    onSuccess: (record, { body }, before) => {
      cache.setQueryData(queryKey, (records) => withRecord(records, record))
      onMarked?.({ student, month, status: body.payment_status, before })
    },
    onError: (_, __, before) => {
      cache.setQueryData(queryKey, (records) =>
        before ? withRecord(records, before) : records?.filter(({ student_id }) => student_id !== student.id),
      )
      alert(MARK_FAILED)
    },
    onSettled: () => {
      pendingStatus.current = undefined
    },
  })
  // The server knows the month's price; an amount is named only to restore what was recorded.
  return (payment_status: PaymentRecord['payment_status'], monthly_payment_amount?: number) => {
    if (pendingStatus.current === payment_status) return
    pendingStatus.current = payment_status
    mutate({
      body: { student_id: student.id, monthly_payment_amount, payment_month: month.month, payment_year: month.year, payment_status },
    })
  }
}
