import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/endpoint'
import { textingApi } from '@tatami/contract/texting'
import { useEffect } from 'react'
import { endpointQuery } from '../lib/query.ts'

const POLL_MS = 10_000

export const statusQuery = endpointQuery(textingApi.status)
const qrQuery = endpointQuery(textingApi.qr)

type Found = Reply<typeof textingApi.status>
const isConnected = ({ connected, status }: Found) => connected || status === 'ready'
const needsCode = (found: Found) => !isConnected(found)

/** The text service as the Message Center sees it. Polled, but not while a QR code shows: then asked again when the window gets focus (specification, section 4). */
export function useSmsStatus() {
  const cache = useQueryClient()
  const showsCode = () => Boolean(cache.getQueryData(qrQuery.queryKey)?.qr) && cache.getQueryState(qrQuery.queryKey)?.status === 'success'
  // A poll that fails is tried again by the next one.
  const {
    data: found,
    isError,
    refetch,
  } = useQuery({
    ...statusQuery,
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state: { data, status } }) => (status === 'success' && data && needsCode(data) && showsCode() ? false : POLL_MS),
  })
  const isWithout = found !== undefined && !isError && needsCode(found)
  const { data, isError: hasNoCode } = useQuery({
    ...qrQuery,
    enabled: isWithout,
    retry: false,
    refetchInterval: () => (showsCode() ? false : POLL_MS),
  })
  const qr = isWithout && !hasNoCode && data?.qr ? data.qr : null
  const isShown = qr !== null
  useEffect(() => {
    if (!isShown) return undefined
    const ask = () => void refetch()
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [isShown, refetch])
  const state =
    isError || (isWithout && hasNoCode)
      ? ('error' as const)
      : found && isConnected(found)
        ? ('connected' as const)
        : isShown
          ? ('qr_ready' as const)
          : ('checking' as const)
  return { state, qr, found }
}
