import type { Month } from '@tatami/contract/lib/calendar-day'
import type { Student } from '@tatami/contract/students/students'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { PaymentStatus } from './mark-words.ts'

/** What the rows can do. It stays the same object while the list does, so that a mark draws only its own row again. */
export type RowTools = {
  month: Month
  onMark: (student: Student, status: PaymentStatus) => void
  onMarkAll: (students: readonly Student[], whose: string) => void
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  /** Opens the sheet of payments. */
  onOpen: (student: Student) => void
  /** Opens it to pay a month for which nothing is due. */
  onPayMonth: (student: Student) => void
  onIntent: () => void
}

/** The same object as long as the month is, whose functions are those of the latest render. */
export function useRowTools(latest: RowTools): RowTools {
  const now = useRef(latest)
  useLayoutEffect(() => {
    now.current = latest
  })
  const { month } = latest
  return useMemo(
    () => ({
      month,
      onMark: (student, status) => now.current.onMark(student, status),
      onMarkAll: (some, whose) => now.current.onMarkAll(some, whose),
      onSelect: (ids, is) => now.current.onSelect(ids, is),
      onOpen: (student) => now.current.onOpen(student),
      onPayMonth: (student) => now.current.onPayMonth(student),
      onIntent: () => now.current.onIntent(),
    }),
    [month],
  )
}
