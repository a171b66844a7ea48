import { startTransition, useCallback, useEffect, useOptimistic, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** Returns the URL's query, and a function that changes it without adding a history entry. */
export function useUrlQuery() {
  const [query, setQuery] = useSearchParams()
  const { state } = useLocation() as { state: unknown }
  const changeQuery = useCallback(
    (parts: Readonly<Record<string, string>>) => {
      // A second change may come before the first one is rendered, so this reads the URL itself.
      const newQuery = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(parts)) {
        if (value) newQuery.set(name, value)
        else newQuery.delete(name)
      }
      setQuery(newQuery, { replace: true, state })
    },
    [setQuery, state],
  )
  return [query, changeQuery] as const
}

/** Returns the choice that is in the URL, as in "?filter=trial", and a function that changes it.
 *  The first choice is the default. */
export function useUrlChoice<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
) {
  const [query, changeQuery] = useUrlQuery()
  const choiceInUrl = choices.find((choice) => choice === query.get(name)) ?? choices[0]
  // The button shows the choice immediately. The URL changes a moment later.
  const [visibleChoice, showChoice] = useOptimistic(choiceInUrl)
  const setChoice = (choice: Choice) =>
    startTransition(() => {
      showChoice(choice)
      changeQuery({ [name]: choice })
    })
  return [visibleChoice, setChoice] as const
}

/** Returns the text of a search box, which is in the URL, as in "?search=mia", and a function that
 *  changes it. */
export function useSearchText(): [string, (text: string) => void] {
  const [query, changeQuery] = useUrlQuery()
  const textInUrl = query.get('search') ?? ''
  const [text, setText] = useState(textInUrl)
  const writtenText = useRef(textInUrl)
  // A link or Back may change the URL. While the user types, the URL lags behind the field.
  useEffect(() => {
    const isCurrent = textInUrl === (new URLSearchParams(location.search).get('search') ?? '')
    if (!isCurrent || textInUrl === writtenText.current) return
    writtenText.current = textInUrl
    setText(textInUrl)
  }, [textInUrl])
  const changeText = (newText: string) => {
    setText(newText)
    writtenText.current = newText
    startTransition(() => changeQuery({ search: newText }))
  }
  return [text, changeText]
}
