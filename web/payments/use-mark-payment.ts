import { type PaymentRecord, paymentsApi } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../kernel/query.ts'
import type { Month } from './month.ts'
import { recordsQuery } from './use-payments.ts'

const withRecord = (records: PaymentRecord[] | undefined, record: PaymentRecord) => [
  ...(records ?? []).filter(({ student_id }) => student_id !== record.student_id),
  record,
]

/** Marks one student's month. It shows at once, and goes back when the server refuses; one after the other for the same student. */
export function useMarkPayment(student: Student, month: Month) {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(month)
  const { mutate, isPending } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${student.id}` },
    refreshes: [paymentsApi.statistics, studentsApi.list],
    onMutate: async ({ body }) => {
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)
      const now = new Date().toISOString()
      cache.setQueryData(queryKey, (records) =>
        withRecord(records, { ...body, monthly_payment_amount: student.monthly_payment_amount ?? 0, marked_at: now, updated_at: now }),
      )
      return before?.find(({ student_id }) => student_id === student.id)
    },
    onSuccess: (record) => cache.setQueryData(queryKey, (records) => withRecord(records, record)),
    onError: (_, __, before) => {
      cache.setQueryData(queryKey, (records) =>
        before ? withRecord(records, before) : records?.filter(({ student_id }) => student_id !== student.id),
      )
      alert('Failed to update payment status. Please try again.')
    },
  })
  const mark = (payment_status: PaymentRecord['payment_status']) =>
    mutate({
      body: {
        student_id: student.id,
        monthly_payment_amount: student.monthly_payment_amount,
        payment_month: month.month,
        payment_year: month.year,
        payment_status,
      },
    })
  return { mark, isPending }
}
