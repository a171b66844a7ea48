import type { KeyboardEvent } from 'react'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'

const MARKS: Record<string, { value: string; present: boolean }> = {
  p: { value: 'present', present: true },
  a: { value: 'absent', present: false },
}

/** P and A mark the student of the row and go on to the next. Arrow keys only move the focus. */
export function handleRollKey(
  event: KeyboardEvent<HTMLButtonElement>,
  onMark: (present: boolean) => void,
) {
  moveFocusWithArrows(event)
  const mark = MARKS[event.key.toLowerCase()]
  if (!mark || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  onMark(mark.present)
  const row = event.currentTarget.closest('li')
  const nextRow = row?.nextElementSibling ?? row
  nextRow?.querySelector<HTMLElement>(`[value=${mark.value}]`)?.focus()
}
