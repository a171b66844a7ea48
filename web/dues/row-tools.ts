import type { Month } from '@tatami/contract/lib/calendar-day'
import type { Student } from '@tatami/contract/students/students'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { PaymentStatus } from './mark-notice.ts'

/** The selected month, and what the buttons in a row do. */
export type RowTools = {
  month: Month
  onMark: (student: Student, status: PaymentStatus) => void
  onMarkAll: (students: readonly Student[], payerName: string) => void
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  onOpen: (student: Student) => void
  onPayMonth: (student: Student) => void
  onPreload: () => void
}

/** The returned functions stay the same, so memoized rows are not rendered again. */
export function useRowTools(tools: RowTools): RowTools {
  const latestTools = useRef(tools)
  useLayoutEffect(() => {
    latestTools.current = tools
  })
  const { month } = tools
  return useMemo(
    () => ({
      month,
      onMark: (student, status) => latestTools.current.onMark(student, status),
      onMarkAll: (students, payerName) => latestTools.current.onMarkAll(students, payerName),
      onSelect: (ids, isSelected) => latestTools.current.onSelect(ids, isSelected),
      onOpen: (student) => latestTools.current.onOpen(student),
      onPayMonth: (student) => latestTools.current.onPayMonth(student),
      onPreload: () => latestTools.current.onPreload(),
    }),
    [month],
  )
}
