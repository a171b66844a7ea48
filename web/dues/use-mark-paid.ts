import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { useQueryClient } from '@tanstack/react-query'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import { paymentsApi } from '@tatami/contract/dues/payments'
import type { Student } from '@tatami/contract/students/students'
import { useRef } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { call } from '../lib/api.ts'
import { describeMark, describeMarkFailure, type PaymentStatus } from './mark-notice.ts'
import { LEDGER_ENDPOINTS, recordsQuery, refreshLedger } from './payment-reads.ts'
import type { LedgerNotice } from './undo-bar.tsx'
import { type GetStudentMonth, owesOlderMonth } from './use-payments.ts'

type Options = {
  month: Month
  getStudentMonth: GetStudentMonth
  /** Called as soon as students are marked, before the server saves the marks. */
  onMark: (ids: readonly string[]) => void
  /** Called once the server has saved the marks. */
  onMarked: (notice: LedgerNotice) => void
}
type SavedMarks = { records: PaymentRecord[]; buildNotice: () => Promise<LedgerNotice | undefined> }
type SentMark = { status: PaymentStatus; delivery: Promise<void> }

const toPaymentMonth = ({ month, year }: Month) => ({ payment_month: month, payment_year: year })

function buildExpectedRecord(
  student: Student,
  payment_status: PaymentStatus,
  { month, getStudentMonth }: Options,
): PaymentRecord {
  const { cost, price } = getStudentMonth(student)
  const markedAt = new Date().toISOString()
  return {
    ...toPaymentMonth(month),
    student_id: student.id,
    payment_status,
    monthly_payment_amount: cost,
    price_reason: price?.reason ?? null,
    marked_at: markedAt,
    updated_at: markedAt,
  }
}

/** Shows the new status before the server confirms it. Marks of one student are sent in order. */
function useOptimisticMarks(options: Options) {
  const cache = useQueryClient()
  const sentMarks = useRef(new Map<string, SentMark>())
  const { queryKey } = recordsQuery(options.month)
  const showRecords = (ids: ReadonlySet<string>, newRecords: readonly PaymentRecord[]) =>
    cache.setQueryData(queryKey, (records = []) => [
      ...records.filter(({ student_id }) => !ids.has(student_id)),
      ...newRecords,
    ])

  return async function markOptimistically(
    selectedStudents: readonly Student[],
    status: PaymentStatus,
    send: (students: readonly Student[]) => Promise<SavedMarks>,
  ) {
    const students = selectedStudents.filter(
      ({ id }) => sentMarks.current.get(id)?.status !== status,
    )
    if (students.length === 0) return
    const ids = new Set(students.map(({ id }) => id))
    const earlierMarks = students.flatMap(({ id }) => sentMarks.current.get(id)?.delivery ?? [])
    const deliver = async () => {
      options.onMark([...ids])
      await cache.cancelQueries({ queryKey })
      const oldRecords = cache
        .getQueryData(queryKey)
        ?.filter((record) => ids.has(record.student_id))
      showRecords(
        ids,
        students.map((student) => buildExpectedRecord(student, status, options)),
      )
      await Promise.all(earlierMarks)
      try {
        const { records, buildNotice } = await send(students)
        showRecords(ids, records)
        // Refetching the list itself could overwrite the mark that is sent next.
        refreshLedger(
          cache,
          LEDGER_ENDPOINTS.filter((endpoint) => endpoint !== paymentsApi.list),
        )
        void buildNotice().then((newNotice) => newNotice && options.onMarked(newNotice))
      } catch (error) {
        showRecords(ids, oldRecords ?? [])
        alertFailure(describeMarkFailure(error))
      } finally {
        for (const id of ids)
          if (sentMarks.current.get(id)?.delivery === delivery) sentMarks.current.delete(id)
      }
    }
    const delivery = deliver()
    for (const id of ids) sentMarks.current.set(id, { status, delivery })
    await delivery
  }
}

/** "Ken Adams", "3", or "3 in Rosa Diaz’s family" */
function nameStudents(students: readonly Student[], payerName: string | undefined): string {
  const [firstStudent] = students
  if (firstStudent && students.length === 1) return firstStudent.name
  return payerName === undefined
    ? `${students.length}`
    : `${students.length} in ${payerName}’s family`
}

export function useMarkInList(options: Options) {
  const { month, getStudentMonth } = options
  const cache = useQueryClient()
  const markOptimistically = useOptimisticMarks(options)
  const monthFields = toPaymentMonth(month)

  const markOne = (student: Student, payment_status: PaymentStatus) => {
    const studentMonth = getStudentMonth(student)
    // If an older month is owed, the notice names the month, to make clear which one was marked.
    const namedMonth = owesOlderMonth(studentMonth, month) ? month : undefined
    return markOptimistically([student], payment_status, async () => {
      const { act_id, ...record } = await call(paymentsApi.mark, {
        body: {
          ...monthFields,
          student_id: student.id,
          payment_status,
          monthly_payment_amount: studentMonth.cost,
        },
      })
      const buildNotice = async () =>
        act_id === null
          ? undefined
          : {
              actId: act_id,
              name: student.name,
              message: await describeMark(cache, student, payment_status, act_id, namedMonth),
              ...(payment_status === 'paid' && { studentId: student.id }),
            }
      return { records: [record], buildNotice }
    })
  }

  const markAll = (
    selectedStudents: readonly Student[],
    payment_status: PaymentStatus,
    payerName?: string,
  ) =>
    markOptimistically(selectedStudents, payment_status, async (students) => {
      const marks = students.map(({ id }) => ({ ...monthFields, student_id: id, payment_status }))
      const { act_id, total, lines, records } = await call(ledgerApi.markAll, { body: { marks } })
      const amount = `${formatMoney(Math.abs(total))}${payment_status === 'paid' ? '' : ' undone'}`
      const name = nameStudents(students, payerName)
      const buildNotice = async () =>
        lines === 0
          ? undefined
          : { actId: act_id, name, message: `marked ${payment_status}, ${amount}` }
      return { records, buildNotice }
    })

  return { markOne, markAll }
}
