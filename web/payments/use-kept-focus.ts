import { useLayoutEffect, useRef } from 'react'

/** A mark disables the button that made it: the row's other button takes over the focus. */
export function useKeptFocus() {
  const acts = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (acts.current?.querySelector(':disabled') === document.activeElement)
      acts.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  })
  return acts
}
