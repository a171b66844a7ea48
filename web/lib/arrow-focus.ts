import type { KeyboardEvent } from 'react'

/** For buttons in the rows of a list: the arrow keys focus the same button of the next row. */
export function moveFocusWithArrows(event: KeyboardEvent<HTMLButtonElement>) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  const row = event.currentTarget.closest('li')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelector<HTMLElement>(`[value=${event.currentTarget.value}]`)?.focus()
}
