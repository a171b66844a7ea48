import type { Month } from '@tatami/contract/month'
import type { Student } from '@tatami/contract/students'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Done } from './undo-bar.tsx'

/** What the rows can do. It stays the same object while the list does, so that a mark draws only its own row again. */
export type RowTools = {
  month: Month
  onMark: (ids: readonly string[]) => void
  onMarked: (done: Done) => void
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
      onMark: (ids) => now.current.onMark(ids),
      onMarked: (one) => now.current.onMarked(one),
      onMarkAll: (some, whose) => now.current.onMarkAll(some, whose),
      onSelect: (ids, is) => now.current.onSelect(ids, is),
      onOpen: (student) => now.current.onOpen(student),
      onPayMonth: (student) => now.current.onPayMonth(student),
      onIntent: () => now.current.onIntent(),
    }),
    [month],
  )
}
