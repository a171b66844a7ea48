import { useQueryClient } from '@tanstack/react-query'
import type { Month } from '@tatami/contract/month'
import { type PaymentRecord, paymentsApi } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useRef } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { recordsQuery } from './use-payments.ts'

/** A mark that was made, and the record that stood there before it. */
export type Marked = { student: Student; month: Month; status: PaymentRecord['payment_status']; before: PaymentRecord | undefined }
export type MarkOptions = {
  month: Month
  /** At the press, before the server has answered. */
  onMark?: (student: Student) => void
  onMarked?: (marked: Marked) => void
}

const withRecord = (records: PaymentRecord[] | undefined, record: PaymentRecord) => [
  ...(records ?? []).filter(({ student_id }) => student_id !== record.student_id),
  record,
]

/** Marks one student's month. It shows at once, and goes back when the server refuses; one after the other for the same student. */
export function useMarkPayment(student: Student, { month, onMark, onMarked }: MarkOptions) {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(month)
  // The second tap of a double tap comes before the first has been drawn.
  const underWay = useRef<string>(undefined)
  const { mutate } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${student.id}` },
    refreshes: [paymentsApi.statistics, studentsApi.list],
    onMutate: async ({ body }) => {
      onMark?.(student)
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)?.find(({ student_id }) => student_id === student.id)
      const now = new Date().toISOString()
      const record = { ...body, monthly_payment_amount: Number(body.monthly_payment_amount ?? 0), marked_at: now, updated_at: now }
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
      alert('Failed to update payment status. Please try again.')
    },
    onSettled: () => {
      underWay.current = undefined
    },
  })
  return (payment_status: PaymentRecord['payment_status'], monthly_payment_amount = student.monthly_payment_amount) => {
    if (underWay.current === payment_status) return
    underWay.current = payment_status
    mutate({
      body: { student_id: student.id, monthly_payment_amount, payment_month: month.month, payment_year: month.year, payment_status },
    })
  }
}
