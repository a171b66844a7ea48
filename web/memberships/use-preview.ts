import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import {
  keepPreviousData,
  type QueryKey,
  useIsMutating,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const TYPING_MS = 250

/** The values of a form, once the user has stopped typing. */
export function useSettledValues<V>({ values }: { values: V }): V {
  const [settledValues, setSettledValues] = useState(values)
  useEffect(() => {
    const timer = setTimeout(() => setSettledValues(values), TYPING_MS)
    return () => clearTimeout(timer)
  }, [values])
  return settledValues
}

/** Previews what a form would do. While it loads, the last preview stays. While the form is being
 *  saved, nothing is loaded, because the server refuses to preview what has just been done. */
export function usePreview<P extends ActPreview, K extends QueryKey>(
  options: UseQueryOptions<P, Error, P, K>,
  isReady: boolean,
) {
  const isSaving = useIsMutating() > 0
  return useQuery({
    ...options,
    enabled: isReady && !isSaving,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

export type PreviewState = Pick<ReturnType<typeof usePreview>, 'data' | 'error' | 'isPending'>

/** The form with the sums that the user has seen for it, so that no others are saved. */
export const withQuote = <B extends object>(
  body: B,
  { data, isPlaceholderData }: { data?: ActPreview; isPlaceholderData: boolean },
  previewedBody: object,
): B & { quoted?: { due_on: string; amount: number }[] } => {
  const isOfForm = !isPlaceholderData && JSON.stringify(previewedBody) === JSON.stringify(body)
  if (!data || !isOfForm) return body
  return { ...body, quoted: data.charges.map(({ due_on, amount }) => ({ due_on, amount })) }
}
