import { useQueryClient } from '@tanstack/react-query'
import { ledgerApi } from '@tatami/contract/ledger'
import type { PaymentRecord } from '@tatami/contract/payment-records'
import { paymentsApi } from '@tatami/contract/payments'
import { type Student, studentsApi } from '@tatami/contract/students'
import { useRef } from 'react'
import { formatMoney } from '../lib/money.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { MARK_FAILED, type PaymentStatus } from './mark-words.ts'
import { expectedRecord, type MarkOptions } from './use-mark-payment.ts'
import { recordsQuery } from './payment-reads.ts'
import { type FactsOf } from './use-payments.ts'

type Records = readonly PaymentRecord[] | undefined
const without = (records: Records, ids: ReadonlySet<string>) =>
  (records ?? []).filter(({ student_id }) => !ids.has(student_id))
const only = (records: Records, ids: ReadonlySet<string>) =>
  (records ?? []).filter(({ student_id }) => ids.has(student_id))

/** `whose` stands between the number and what was done: "3 of Rosa Diaz marked paid". Ends when the server has answered. */
export type MarkAll = (
  students: readonly Student[],
  status: PaymentStatus,
  whose?: string,
) => Promise<void>

/** Marks the month of several students with one call: all at once, and none where the server refuses. */
export function useMarkAll(factsOf: FactsOf, { month, onMark, onMarked }: MarkOptions): MarkAll {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(month)
  // The second click of a double click finds them here.
  const underWay = useRef(new Set<string>())
  const { mutateAsync } = useEndpointMutation(ledgerApi.markAll, {
    refreshes: [
      paymentsApi.statistics,
      studentsApi.list,
      studentsApi.show,
      paymentsApi.dues,
      ledgerApi.balances,
      ledgerApi.account,
    ],
  })
  return async (all, payment_status, whose = '') => {
    const students = all.filter(({ id }) => !underWay.current.has(id))
    if (students.length === 0) return
    const ids = new Set(students.map(({ id }) => id))
    for (const id of ids) underWay.current.add(id)
    onMark([...ids])
    await cache.cancelQueries({ queryKey })
    const before = only(cache.getQueryData(queryKey), ids)
    const show = (marked: readonly PaymentRecord[]) =>
      cache.setQueryData(queryKey, (records) => [...without(records, ids), ...marked])
    show(
      students.map((student) => expectedRecord(student, factsOf(student), month, payment_status)),
    )
    const ofMonth = { payment_month: month.month, payment_year: month.year, payment_status }
    try {
      const { act_id, total, lines, records } = await mutateAsync({
        body: { marks: [...ids].map((student_id) => ({ student_id, ...ofMonth })) },
      })
      show(records)
      const who = students.length === 1 ? students[0]!.name : `${students.length}${whose}`
      const sum = `${formatMoney(Math.abs(total))}${payment_status === 'paid' ? '' : ' taken back'}`
      if (lines > 0)
        onMarked({
          actId: act_id,
          words: `${who} marked ${payment_status}, ${sum}`,
        })
    } catch {
      show(before)
      alert(MARK_FAILED)
    } finally {
      for (const id of ids) underWay.current.delete(id)
    }
  }
}
