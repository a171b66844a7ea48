import type { Month } from '@tatami/contract/lib/calendar-day'
import { onlineStudentsApi } from '@tatami/contract/online-payment/online-students'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useMemo, useState } from 'react'
import { useAllowedQuery } from '../lib/use-allowed-query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const UnpaidDialog = lazyComponent(() => import('./unpaid-dialog.tsx'), 'UnpaidDialog')

type Question = {
  paidStudents: { name: string; amount: number }[]
  answer: (isConfirmed: boolean) => void
}

type UnpaidQuestion = {
  /** True if any of these students' months was paid online. */
  isNeeded: (students: readonly Student[]) => boolean
  /** Resolves to true if the user still wants to mark the month unpaid. */
  ask: (students: readonly Student[]) => Promise<boolean>
  dialog: ReactNode
}

/** Asks before a month that was paid online is marked unpaid. */
export function useUnpaidQuestion(month: Month): UnpaidQuestion {
  const { data: paidMonths } = useAllowedQuery(onlineStudentsApi.paidMonth, { query: month })
  const amounts = useMemo(
    () => new Map(paidMonths?.map(({ student_id, amount }) => [student_id, amount])),
    [paidMonths],
  )
  const [question, setQuestion] = useState<Question | null>(null)
  return {
    isNeeded: (students) => students.some(({ id }) => amounts.has(id)),
    ask: (students) =>
      new Promise((resolve) => {
        setQuestion({
          paidStudents: students.flatMap(({ id, name }) => {
            const amount = amounts.get(id)
            return amount === undefined ? [] : [{ name, amount }]
          }),
          answer: (isConfirmed) => {
            setQuestion(null)
            resolve(isConfirmed)
          },
        })
      }),
    dialog: question && (
      <UnpaidDialog
        paidStudents={question.paidStudents}
        onConfirm={() => question.answer(true)}
        onClose={() => question.answer(false)}
      />
    ),
  }
}
