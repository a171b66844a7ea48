import { useLayoutEffect, useRef } from 'react'

const firstIn = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('button:enabled')

/** A mark takes the focus with it: its button is disabled, and under a filter the whole row leaves. Then the row's other button has it,
 *  or the next row's. */
export function useKeptFocus() {
  const acts = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (acts.current?.querySelector(':disabled') === document.activeElement) firstIn(acts.current)?.focus()
  })
  useLayoutEffect(() => {
    const here = acts.current
    return () => {
      const row = here?.closest('tr, li')
      if (here?.contains(document.activeElement)) (firstIn(row?.nextElementSibling) ?? firstIn(row?.previousElementSibling))?.focus()
    }
  }, [])
  return acts
}
