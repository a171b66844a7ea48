import { useQueryClient } from '@tanstack/react-query'
import { monthOfDate } from '@tatami/contract/month'
import { paymentsApi } from '@tatami/contract/payments'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students'
import { today } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import type { Done } from './undo-bar.tsx'
import { MARK_FAILED, type PaymentStatus, wordsOfMark } from './mark-words.ts'
import { LEDGER_READS, useReducedPrice } from './payment-reads.ts'

/** Marks the student's current month on their page, at once, and takes it back where the server refuses. */
export function useMarkMonth(student: Student, onMarked: (done: Done) => void) {
  const { id, monthly_payment_amount: fee } = student
  const cache = useQueryClient()
  const { price } = useReducedPrice(student)
  const cost = price?.amount ?? fee ?? 0
  const { queryKey } = endpointQuery(studentsApi.show, { params: { id } })
  const { month, year } = monthOfDate(today())
  const withStatus =
    (payment_status: PaymentStatus, amount: number | null) => (page: StudentPage | undefined) =>
      page && {
        ...page,
        payments: page.payments.map((one) =>
          one === page.payments.at(-1)
            ? { ...one, payment_status, monthly_payment_amount: amount }
            : one,
        ),
      }
  const { mutate } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${id}` },
    refreshes: LEDGER_READS,
    onMutate: async ({ body }) => {
      await cache.cancelQueries({ queryKey })
      const before = cache.getQueryData(queryKey)?.payments.at(-1)
      cache.setQueryData(queryKey, withStatus(body.payment_status, cost))
      return before
    },
    onSuccess: ({ act_id: actId, payment_status, monthly_payment_amount }) => {
      cache.setQueryData(queryKey, withStatus(payment_status, monthly_payment_amount))
      if (actId)
        void wordsOfMark(cache, student, payment_status, actId).then((words) =>
          onMarked({ actId, words }),
        )
    },
    onError: (_, __, before) => {
      if (before)
        cache.setQueryData(
          queryKey,
          withStatus(before.payment_status, before.monthly_payment_amount),
        )
      alert(MARK_FAILED)
    },
  })
  return (payment_status: PaymentStatus) =>
    mutate({
      body: {
        student_id: id,
        payment_month: month,
        payment_year: year,
        payment_status,
        monthly_payment_amount: cost,
      },
    })
}
