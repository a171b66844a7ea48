import { useQueryClient } from '@tanstack/react-query'
import { monthOfDate } from '@tatami/contract/month'
import { type PaymentRecord, paymentsApi } from '@tatami/contract/payments'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students'
import { today } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { MARK_FAILED } from './use-mark-payment.ts'
import { useReducedPrice } from './use-payments.ts'

type Status = PaymentRecord['payment_status']
type Options = {
  /** What is recorded, where a mark is undone; else the server knows the month's price. */
  amount?: number | null | undefined
  onMarked?: () => void
}

/** Marks the student's current month on their page, at once, and takes it back where the server refuses. */
export function useMarkMonth(student: Student) {
  const { id, monthly_payment_amount: fee } = student
  const cache = useQueryClient()
  const { price } = useReducedPrice(student)
  const { queryKey } = endpointQuery(studentsApi.show, { params: { id } })
  const { month, year } = monthOfDate(today())
  const withStatus = (payment_status: Status, amount: number | null) => (page: StudentPage | undefined) =>
    page && {
      ...page,
      payments: page.payments.map((one) =>
        one === page.payments.at(-1) ? { ...one, payment_status, monthly_payment_amount: amount } : one,
      ),
    }
  const { mutate } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${id}` },
    refreshes: [studentsApi.show, studentsApi.list, paymentsApi.list, paymentsApi.statistics],
    onMutate: async ({ body }) => {
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)?.payments.at(-1)
      cache.setQueryData(queryKey, withStatus(body.payment_status, Number(body.monthly_payment_amount ?? price?.amount ?? fee ?? 0)))
      return before
    },
    onSuccess: (record) => cache.setQueryData(queryKey, withStatus(record.payment_status, record.monthly_payment_amount)),
    onError: (_, __, before) => {
      if (before) cache.setQueryData(queryKey, withStatus(before.payment_status, before.monthly_payment_amount))
      alert(MARK_FAILED)
    },
  })
  return (payment_status: Status, { amount, onMarked = () => {} }: Options = {}) =>
    mutate(
      { body: { student_id: id, monthly_payment_amount: amount, payment_month: month, payment_year: year, payment_status } },
      { onSuccess: onMarked },
    )
}
