import { useQueryClient } from '@tanstack/react-query'
import { ledgerApi } from '@tatami/contract/ledger'
import type { Month } from '@tatami/contract/month'
import type { PaymentRecord } from '@tatami/contract/payment-records'
import { paymentsApi } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useRef } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { MARK_FAILED, type PaymentStatus, wordsOfMark } from './mark-words.ts'
import type { Done } from './undo-bar.tsx'
import { recordsQuery } from './payment-reads.ts'
import { type Facts, owesOlderMonth } from './use-payments.ts'

export type MarkOptions = {
  month: Month
  /** Called at the click, before the server answers. */
  onMark: (ids: readonly string[]) => void
  onMarked: (done: Done) => void
}

const withRecord = (records: PaymentRecord[] | undefined, record: PaymentRecord) => [
  ...(records ?? []).filter(({ student_id }) => student_id !== record.student_id),
  record,
]

/** What a list shows of a mark until the server has answered. */
export function expectedRecord(
  student: Student,
  { price, cost }: Pick<Facts, 'price' | 'cost'>,
  month: Month,
  payment_status: PaymentStatus,
): PaymentRecord {
  const now = new Date().toISOString()
  return {
    student_id: student.id,
    payment_month: month.month,
    payment_year: month.year,
    payment_status,
    monthly_payment_amount: cost,
    price_reason: price?.reason ?? null,
    marked_at: now,
    updated_at: now,
  }
}

/** Marks one student's month optimistically and rolls back on an error; the marks of one student are sent one after the other. */
export function useMarkPayment(
  student: Student,
  facts: Facts,
  { month, onMark, onMarked }: MarkOptions,
) {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(month)
  // The second click of a double click arrives before the first has rendered.
  const pendingStatus = useRef<string>(undefined)
  const paidMonth = owesOlderMonth(facts, month) ? month : undefined
  const { mutate } = useEndpointMutation(paymentsApi.mark, {
    scope: { id: `payment ${student.id}` },
    refreshes: [
      paymentsApi.statistics,
      studentsApi.list,
      studentsApi.show,
      paymentsApi.dues,
      ledgerApi.balances,
      ledgerApi.account,
    ],
    onMutate: async ({ body }) => {
      onMark([student.id])
      await cache.cancelQueries({ queryKey })
      const before = cache
        .getQueryData(queryKey)
        ?.find(({ student_id }) => student_id === student.id)
      cache.setQueryData(queryKey, (records) =>
        withRecord(records, expectedRecord(student, facts, month, body.payment_status)),
      )
      return before
    },
    onSuccess: ({ act_id: actId, ...record }, { body }) => {
      cache.setQueryData(queryKey, (records) => withRecord(records, record))
      // Nothing to take back where nothing changed.
      if (actId)
        void wordsOfMark(cache, student, body.payment_status, actId, paidMonth).then((words) =>
          onMarked({
            actId,
            words,
            ...(body.payment_status === 'paid' && { studentId: student.id }),
          }),
        )
    },
    onError: (_, __, before) => {
      cache.setQueryData(queryKey, (records) =>
        before
          ? withRecord(records, before)
          : records?.filter(({ student_id }) => student_id !== student.id),
      )
      alert(MARK_FAILED)
    },
    onSettled: () => {
      pendingStatus.current = undefined
    },
  })
  return (payment_status: PaymentStatus) => {
    if (pendingStatus.current === payment_status) return
    pendingStatus.current = payment_status
    mutate({
      body: {
        student_id: student.id,
        payment_month: month.month,
        payment_year: month.year,
        payment_status,
        monthly_payment_amount: facts.cost,
      },
    })
  }
}
