import type { KeyboardEvent } from 'react'

/** The up and down arrows move the focus to the same button of the next row. */
export function moveFocusWithArrows(event: KeyboardEvent<HTMLButtonElement>) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  const row = event.currentTarget.closest('li')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelector<HTMLElement>(`[value=${event.currentTarget.value}]`)?.focus()
}
