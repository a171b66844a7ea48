import { startTransition, useCallback, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The query of the address, and a change of some of its parts that adds no step to the history. An empty part is left out. */
export function useUrlQuery() {
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

/** One of `choices` in the address, "?filter=trial"; the first one where another value stands there. */
export function useUrlChoice<V extends string>(name: string, choices: readonly [V, ...V[]]) {
  const [query, change] = useUrlQuery()
  const inAddress = choices.find((choice) => choice === query.get(name)) ?? choices[0]
  // The address follows a moment later; the button shows at once what was chosen.
  const [visibleChoice, show] = useOptimistic(inAddress)
  const choose = (choice: V) =>
    startTransition(() => {
      show(choice)
      change({ [name]: choice })
    })
  return [visibleChoice, choose] as const
}

/** What is typed into the search of a list. It stands in the address, so that Back and a reload bring it back. */
export function useSearchText(): [string, (typed: string) => void] {
  const [query, change] = useUrlQuery()
  const inAddress = query.get('search') ?? ''
  const [text, setTyped] = useState(inAddress)
  const writtenText = useRef(inAddress)
  // The address was changed by a link or by Back. While one types, what is drawn may lag behind it.
  useEffect(() => {
    const isCurrent = inAddress === (new URLSearchParams(location.search).get('search') ?? '')
    if (!isCurrent || inAddress === writtenText.current) return
    writtenText.current = inAddress
    setTyped(inAddress)
  }, [inAddress])
  const type = (next: string) => {
    setTyped(next)
    writtenText.current = next
    startTransition(() => change({ search: next }))
  }
  return [text, type]
}
