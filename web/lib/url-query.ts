import { startTransition, useCallback, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The address's query, and a function that changes it without a new history entry. */
export function useUrlQuery() {
  const [query, setQuery] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const changeQuery = useCallback(
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
  return [query, changeQuery] as const
}

/** A choice that is kept in the address: "?filter=trial". The first one is the default. */
export function useUrlChoice<V extends string>(name: string, choices: readonly [V, ...V[]]) {
  const [query, change] = useUrlQuery()
  const choiceInAddress = choices.find((choice) => choice === query.get(name)) ?? choices[0]
  // The address follows a moment later; the button shows the choice immediately.
  const [visibleChoice, showChoice] = useOptimistic(choiceInAddress)
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
  const textInAddress = query.get('search') ?? ''
  const [text, setText] = useState(textInAddress)
  const writtenText = useRef(textInAddress)
  // A link or Back has changed the address. While the user types, it may lag behind the field.
  useEffect(() => {
    const isCurrent = textInAddress === (new URLSearchParams(location.search).get('search') ?? '')
    if (!isCurrent || textInAddress === writtenText.current) return
    writtenText.current = textInAddress
    setText(textInAddress)
  }, [textInAddress])
  const changeText = (next: string) => {
    setText(next)
    writtenText.current = next
    startTransition(() => change({ search: next }))
  }
  return [text, changeText]
}
