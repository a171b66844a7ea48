import type { KeyboardEvent } from 'react'
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import type { RollRow } from './roll.ts'

const MARKS: Record<string, { present: boolean; value: string }> = {
  p: { present: true, value: 'present' },
  a: { present: false, value: 'absent' },
}

/** P and A mark the student whose row has the focus, and go on to the next row. */
export function markWithKeys(
  event: KeyboardEvent<HTMLUListElement>,
  rows: readonly RollRow[],
  onMark: (row: RollRow, present: MarkValue) => void,
) {
  const mark = MARKS[event.key.toLowerCase()]
  if (!mark || event.ctrlKey || event.metaKey || event.altKey) return
  const items = [...event.currentTarget.children]
  const index = items.findIndex((item) => item.contains(event.target as Node))
  const row = rows[index]
  if (!row) return
  event.preventDefault()
  onMark(row, mark.present)
  const nextItem = items[index + 1] ?? items[index]
  nextItem?.querySelector<HTMLElement>(`[value=${mark.value}]`)?.focus()
}
