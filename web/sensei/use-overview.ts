import { useQuery } from '@tanstack/react-query'
import { textingApi } from '@tatami/contract/texting'
import { senseiApi } from '@tatami/contract/sensei'
import { useEffect } from 'react'
import { ApiError } from '../lib/api.ts'
import { endpointQuery } from '../lib/query.ts'

const isForbiddenError = (error: unknown) => error instanceof ApiError && error.status === 403

/** The counts, the list and the settings of the super admin's dashboard. `onRefused` is for a 403; a 401 has ended the session already. */
export function useOverview(onForbidden: () => void) {
  const stats = useQuery(endpointQuery(senseiApi.stats))
  const list = useQuery(endpointQuery(senseiApi.list))
  const config = useQuery(endpointQuery(textingApi.systemConfig))
  const all = [stats, list, config]
  const isForbidden = all.some(({ error }) => isForbiddenError(error))
  useEffect(() => {
    if (isForbidden) onForbidden()
  }, [isForbidden, onForbidden])
  return {
    stats: stats.data,
    sensei: list.data?.sensei_list,
    config: config.data,
    isError: all.some(({ isError }) => isError),
    /** Nothing has been loaded yet, and loading failed. */
    isUnavailable: stats.isLoadingError || list.isLoadingError,
    isFetching: stats.isFetching || list.isFetching,
    refresh: () => Promise.all(all.map(({ refetch }) => refetch())),
  }
}
export type Overview = ReturnType<typeof useOverview>
