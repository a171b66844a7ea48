import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The query of the address, and a change of some of its parts that adds no step to the history. An empty part is left out. */
export function useAddress() {
  const [query, setQuery] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const change = useCallback(
    (parts: Readonly<Record<string, string>>) => {
      // Two changes may come before the first is drawn: the address itself knows both.
      const next = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(parts)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      setQuery(next, { replace: true, state })
    },
    [setQuery, state],
  )
  return [query, change] as const
}
