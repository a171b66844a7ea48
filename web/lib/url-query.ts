import { startTransition, useCallback, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The address's query, and a setter that adds no history entry and drops empty parts. */
export function useUrlQuery() {
  const [query, setQuery] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const change = useCallback(
    (parts: Readonly<Record<string, string>>) => {
      // A second change may come before the first has rendered, so read the address itself.
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

/** One of `choices` in the address, "?filter=trial"; the first if the value is another. */
export function useUrlChoice<V extends string>(name: string, choices: readonly [V, ...V[]]) {
  const [query, change] = useUrlQuery()
  const inAddress = choices.find((choice) => choice === query.get(name)) ?? choices[0]
  // The address follows a moment later; the button shows the choice at once.
  const [visibleChoice, showChoice] = useOptimistic(inAddress)
  const choose = (choice: V) =>
    startTransition(() => {
      showChoice(choice)
      change({ [name]: choice })
    })
  return [visibleChoice, choose] as const
}

/** The search text of a list, kept in the address for Back and reloads. */
export function useSearchText(): [string, (text: string) => void] {
  const [query, change] = useUrlQuery()
  const inAddress = query.get('search') ?? ''
  const [text, setText] = useState(inAddress)
  const writtenText = useRef(inAddress)
  // The address changed by a link or Back. While typing, it may lag behind the field.
  useEffect(() => {
    const isCurrent = inAddress === (new URLSearchParams(location.search).get('search') ?? '')
    if (!isCurrent || inAddress === writtenText.current) return
    writtenText.current = inAddress
    setText(inAddress)
  }, [inAddress])
  const type = (next: string) => {
    setText(next)
    writtenText.current = next
    startTransition(() => change({ search: next }))
  }
  return [text, type]
}
