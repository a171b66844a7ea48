import { SERVICE_ERROR_MESSAGES } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

const DELAY_MS = 2000
/** The service changes only when the server restarts. */
const SERVICE_FRESH_MS = 60_000

export const infoQuery = endpointQuery(textingApi.info)
export const statusQuery = endpointQuery(textingApi.status)

/**
 * Uses the status if it was loaded, and asks for the service otherwise. Pass `isStatusAwaited` if
 * the page is about to load the status.
 */
export function useTextService(isStatusAwaited = false) {
  // Does not fetch: pages that need the status load it.
  const status = useQuery({ ...statusQuery, enabled: false })
  const info = useQuery({
    ...infoQuery,
    staleTime: SERVICE_FRESH_MS,
    enabled: status.data === undefined && !status.isFetching && !isStatusAwaited,
  })
  const services = [status.data?.service, info.data?.service]
  return {
    isTestMode: services.includes('simulator'),
    isUnknown: services.every((service) => service === undefined) && info.failureCount === 0,
  }
}

export const useTestMode = (isStatusAwaited?: boolean): boolean =>
  useTextService(isStatusAwaited).isTestMode

export function useInit() {
  const { mutate, isPending, error, data } = useEndpointMutation(textingApi.init, {
    refreshes: [textingApi.status, textingApi.info, textingApi.qr],
  })
  const refusal =
    data && !data.success ? SERVICE_ERROR_MESSAGES[data.error_type ?? 'initialization'] : null
  const failure = error
    ? errorMessage(
        error,
        SERVICE_ERROR_MESSAGES[isNetworkError(error) ? 'network' : 'initialization'],
      )
    : refusal
  return { init: mutate, isPending, failure }
}

/** Runs once, two seconds after it becomes due (specification, section 4). */
export function useInitOnce(isDue: boolean, init: () => void) {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isDue || isDone.current) return undefined
    const later = setTimeout(() => {
      isDone.current = true
      init()
    }, DELAY_MS)
    return () => clearTimeout(later)
  }, [isDue, init])
}

export type SetupState = 'checking' | 'ready' | 'disconnected' | 'service_error' | { other: string }

/** Specified in section 4. */
export function setupState({
  status,
  connected,
}: {
  status: string
  connected: boolean
}): SetupState {
  if (connected || status === 'ready') return 'ready'
  if (
    status === 'service_unavailable' ||
    status === 'service_unreachable' ||
    status === 'service_error'
  )
    return 'service_error'
  return status === 'checking' || status === 'disconnected' ? status : { other: status }
}
