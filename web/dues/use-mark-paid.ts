import { type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useRef } from 'react'
import { call } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, keyOf } from '../lib/query.ts'
import { MARK_FAILED, type PaymentStatus, wordsOfMark } from './mark-words.ts'
import { LEDGER_READS, recordsQuery, type ReducedPrice, useReducedPrice } from './payment-reads.ts'
import type { Done } from './undo-bar.tsx'
import { type FactsOf, owesOlderMonth } from './use-payments.ts'

type Mark = { payment_status: PaymentStatus; monthly_payment_amount: number | null }
/** Where a screen has the marks that it shows. */
type MarkView<M extends Mark> = {
  queryKey: QueryKey
  /** The marks of these students. */
  read: (ids: ReadonlySet<string>) => M[]
  /** Shows these marks of the students instead. */
  write: (ids: ReadonlySet<string>, marks: readonly (M | PaymentRecord)[]) => void
}
/** What is known of a student's month before it is marked. */
type MonthFacts = { cost: number; price: ReducedPrice | undefined; hasOlderDebt: boolean }
type Options<M extends Mark> = {
  view: MarkView<M>
  month: Month
  factsOf: (student: Student) => MonthFacts
  refreshes: readonly Endpoint[]
  /** Called at the click, before the server answers. */
  onMark?: (ids: readonly string[]) => void
  onMarked: (done: Done) => void
}
type Answer = { records: PaymentRecord[]; done: () => Promise<Done | undefined> }
type Sending = { status: PaymentStatus; sent: Promise<void> }

/** What is shown of a mark until the server has answered. */
function expectedRecord(
  { id: student_id }: Student,
  { price, cost }: MonthFacts,
  { month, year }: Month,
  payment_status: PaymentStatus,
): PaymentRecord {
  const now = new Date().toISOString()
  return {
    student_id,
    payment_month: month,
    payment_year: year,
    payment_status,
    monthly_payment_amount: cost,
    price_reason: price?.reason ?? null,
    marked_at: now,
    updated_at: now,
  }
}

/** Shows marks of a month at once, sends them, and takes them back where the server refuses. Those of one student are sent one after the other. */
function useMarkPaid<M extends Mark>(options: Options<M>) {
  const { view, month, factsOf, refreshes, onMark, onMarked } = options
  const cache = useQueryClient()
  const sending = useRef(new Map<string, Sending>())
  const ofMonth = { payment_month: month.month, payment_year: month.year }

  async function mark(
    chosen: readonly Student[],
    status: PaymentStatus,
    send: (students: readonly Student[]) => Promise<Answer>,
  ) {
    // The second click of a double click finds the first here.
    const students = chosen.filter(({ id }) => sending.current.get(id)?.status !== status)
    if (students.length === 0) return
    const ids = new Set(students.map(({ id }) => id))
    const earlier = Promise.all(
      students.map(({ id }) => sending.current.get(id)?.sent ?? Promise.resolve()),
    )
    const run = async () => {
      onMark?.([...ids])
      await cache.cancelQueries({ queryKey: view.queryKey })
      const before = view.read(ids)
      view.write(
        ids,
        students.map((student) => expectedRecord(student, factsOf(student), month, status)),
      )
      await earlier
      try {
        const { records, done } = await send(students)
        view.write(ids, records)
        for (const read of refreshes) void cache.invalidateQueries({ queryKey: [keyOf(read)] })
        void done().then((words) => words && onMarked(words))
      } catch {
        view.write(ids, before)
        alert(MARK_FAILED)
      } finally {
        for (const id of ids) if (sending.current.get(id)?.sent === sent) sending.current.delete(id)
      }
    }
    const sent = run()
    for (const id of ids) sending.current.set(id, { status, sent })
    await sent
  }

  return {
    markOne: (student: Student, payment_status: PaymentStatus) => {
      const { cost, hasOlderDebt } = factsOf(student)
      return mark([student], payment_status, async () => {
        const { act_id: actId, ...record } = await call(paymentsApi.mark, {
          body: {
            ...ofMonth,
            student_id: student.id,
            payment_status,
            monthly_payment_amount: cost,
          },
        })
        const namedMonth = hasOlderDebt ? month : undefined
        const done = async () => {
          // Nothing to take back where nothing changed.
          if (!actId) return undefined
          const words = await wordsOfMark(cache, student, payment_status, actId, namedMonth)
          const { name } = student
          return { actId, name, words, ...(payment_status === 'paid' && { studentId: student.id }) }
        }
        return { records: [record], done }
      })
    },
    /** All with one call. `whose` stands between the number and what was done: "3 of Rosa Diaz marked paid". */
    markAll: (chosen: readonly Student[], payment_status: PaymentStatus, whose = '') =>
      mark(chosen, payment_status, async (students) => {
        const marks = students.map(({ id }) => ({ ...ofMonth, student_id: id, payment_status }))
        const { act_id, total, lines, records } = await call(ledgerApi.markAll, { body: { marks } })
        const [first, ...others] = students
        const name = first && others.length === 0 ? first.name : `${students.length}${whose}`
        const sum = `${formatMoney(Math.abs(total))}${payment_status === 'paid' ? '' : ' taken back'}`
        const done = { actId: act_id, name, words: `marked ${payment_status}, ${sum}` }
        return { records, done: async () => (lines > 0 ? done : undefined) }
      }),
  }
}

/** Marks students in a month's list. */
export function useMarkInList(
  factsOf: FactsOf,
  options: Pick<Options<PaymentRecord>, 'month' | 'onMark' | 'onMarked'>,
) {
  const cache = useQueryClient()
  const { queryKey } = recordsQuery(options.month)
  const view: MarkView<PaymentRecord> = {
    queryKey,
    read: (ids) => (cache.getQueryData(queryKey) ?? []).filter((mark) => ids.has(mark.student_id)),
    write: (ids, marks) =>
      cache.setQueryData(queryKey, (shown = []) => [
        ...shown.filter(({ student_id }) => !ids.has(student_id)),
        ...marks,
      ]),
  }
  return useMarkPaid({
    ...options,
    view,
    // The list itself has the server's answers; another read of it could miss the mark that comes next.
    refreshes: LEDGER_READS.filter((read) => read !== paymentsApi.list),
    factsOf: (student) => {
      const facts = factsOf(student)
      return { ...facts, hasOlderDebt: owesOlderMonth(facts, options.month) }
    },
  })
}

/** Marks the current month on a student's page. */
export function useMarkOnPage(student: Student, onMarked: (done: Done) => void) {
  const cache = useQueryClient()
  const { price } = useReducedPrice(student)
  const { queryKey } = endpointQuery(studentsApi.show, { params: { id: student.id } })
  const view: MarkView<Mark> = {
    queryKey,
    read: () => {
      const mark = cache.getQueryData(queryKey)?.payments.at(-1)
      return mark ? [mark] : []
    },
    write: (_, [mark]) =>
      cache.setQueryData(queryKey, (page) => {
        if (!page || !mark) return page
        const { payment_status, monthly_payment_amount } = mark
        const current = page.payments.at(-1)
        const payments = page.payments.map((payment) =>
          payment === current ? { ...payment, payment_status, monthly_payment_amount } : payment,
        )
        return { ...page, payments }
      }),
  }
  const cost = price?.amount ?? student.monthly_payment_amount ?? 0
  const { markOne } = useMarkPaid({
    view,
    month: monthOfDate(today()),
    refreshes: LEDGER_READS,
    factsOf: () => ({ cost, price, hasOlderDebt: false }),
    onMarked: ({ studentId: _, ...done }) => onMarked(done),
  })
  return (status: PaymentStatus) => markOne(student, status)
}
