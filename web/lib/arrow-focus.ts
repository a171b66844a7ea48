import type { KeyboardEvent } from 'react'

export function moveFocusWithArrows(event: KeyboardEvent<HTMLButtonElement>) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  const row = event.currentTarget.closest('li')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelector<HTMLElement>(`[value=${event.currentTarget.value}]`)?.focus()
}
