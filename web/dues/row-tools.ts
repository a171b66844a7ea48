import type { Month } from '@tatami/contract/lib/calendar-day'
import type { Student } from '@tatami/contract/students/students'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { PaymentStatus } from './mark-words.ts'

export type RowTools = {
  month: Month
  onMark: (student: Student, status: PaymentStatus) => void
  onMarkAll: (students: readonly Student[], ownerWords: string) => void
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  onOpen: (student: Student) => void
  /** Opens the payment dialog for a month for which nothing is due. */
  onPayMonth: (student: Student) => void
  onIntent: () => void
}

/** The same object until the month changes, so that a mark renders only its own row again. */
export function useRowTools(latest: RowTools): RowTools {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  const { month } = latest
  return useMemo(
    () => ({
      month,
      onMark: (student, status) => current.current.onMark(student, status),
      onMarkAll: (students, ownerWords) => current.current.onMarkAll(students, ownerWords),
      onSelect: (ids, isSelected) => current.current.onSelect(ids, isSelected),
      onOpen: (student) => current.current.onOpen(student),
      onPayMonth: (student) => current.current.onPayMonth(student),
      onIntent: () => current.current.onIntent(),
    }),
    [month],
  )
}
