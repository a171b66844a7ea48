import type { KeyboardEvent } from 'react'

/** Up and down a list, from one edit icon to the next. */
export function walkWithArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const stops = [...document.querySelectorAll<HTMLElement>('[data-walk]')]
  stops[stops.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}
