import { SERVICE_ERROR_MESSAGES } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { textingAccountApi } from '@tatami/contract/texting/texting-account'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCan } from '../lib/current-user.ts'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

const CONNECT_DELAY_MS = 2000
/** The service rarely changes. A change on this device reloads it. */
const SERVICE_STALE_TIME_MS = 60_000

/** The requests to repeat after the service was checked or changed. */
export const SERVICE_CALLS = [
  textingApi.status,
  textingApi.info,
  textingApi.qr,
  textingAccountApi.setUp,
]

export const setupQuery = endpointQuery(textingAccountApi.setUp)
export const infoQuery = endpointQuery(textingApi.info)
export const statusQuery = endpointQuery(textingApi.status)

/** Uses the status if a page has loaded it. Otherwise, loads `info`, which is smaller. */
export function useTextService(isStatusLoading = false) {
  const isAllowed = useCan()(textingApi.info.right)
  // Only reads the cache. Pages that need the status load it.
  const status = useQuery({ ...statusQuery, enabled: false })
  const info = useQuery({
    ...infoQuery,
    staleTime: SERVICE_STALE_TIME_MS,
    enabled: isAllowed && status.data === undefined && !status.isFetching && !isStatusLoading,
  })
  const services = [status.data?.service, info.data?.service]
  return {
    isTestMode: services.includes('simulator'),
    isUnknown:
      isAllowed && services.every((service) => service === undefined) && info.failureCount === 0,
  }
}

export const useTestMode = (isStatusLoading?: boolean): boolean =>
  useTextService(isStatusLoading).isTestMode

/** Tries to connect the text service. The specification calls this "init". */
export function useConnect() {
  const { mutate, isPending, error, data } = useEndpointMutation(textingApi.init, {
    refreshes: SERVICE_CALLS,
  })
  const describeFailure = () => {
    if (error) {
      const errorType = isNetworkError(error) ? 'network' : 'initialization'
      return errorMessage(error, SERVICE_ERROR_MESSAGES[errorType])
    }
    if (!data || data.success) return null
    return data.error ?? SERVICE_ERROR_MESSAGES[data.error_type ?? 'initialization']
  }
  return { connect: mutate, isPending, failure: describeFailure() }
}

/** Connects once, two seconds after `isDue` becomes true (specification, section 4). */
export function useConnectOnce(isDue: boolean, connect: () => void) {
  const hasRun = useRef(false)
  useEffect(() => {
    if (!isDue || hasRun.current) return undefined
    const timer = setTimeout(() => {
      hasRun.current = true
      connect()
    }, CONNECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isDue, connect])
}

export type SetupState =
  | 'checking'
  | 'ready'
  | 'disconnected'
  | 'service_error'
  | { unknownStatus: string }

const ERROR_STATUSES = ['service_unavailable', 'service_unreachable', 'service_error']

type ServiceStatus = { status: string; connected: boolean }

/** The states are in section 4 of the specification. */
export function findSetupState({ status, connected }: ServiceStatus): SetupState {
  if (connected || status === 'ready') return 'ready'
  if (ERROR_STATUSES.includes(status)) return 'service_error'
  return status === 'checking' || status === 'disconnected' ? status : { unknownStatus: status }
}
