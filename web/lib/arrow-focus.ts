import type { KeyboardEvent } from 'react'

/** On Down and Up, focuses the same button in the next or previous row of a list. */
export function moveFocusWithArrows(event: KeyboardEvent<HTMLButtonElement>) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  const row = event.currentTarget.closest('li')
  const targetRow =
    event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  targetRow?.querySelector<HTMLElement>(`[value=${event.currentTarget.value}]`)?.focus()
}
