import { useQuery } from '@tanstack/react-query'
import { senseiApi } from '@tatami/contract/sensei'
import { useEffect } from 'react'
import { ApiError } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'
import { session } from '../kernel/session.ts'

const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 403

/** The counts and the list of the super admin's dashboard. Who is refused them is logged out; a 401 has ended the session already. */
export function useOverview() {
  const stats = useQuery(endpointQuery(senseiApi.stats))
  const list = useQuery(endpointQuery(senseiApi.list))
  const isRefused = isRefusal(stats.error) || isRefusal(list.error)
  useEffect(() => {
    if (isRefused) session.leaveTo('/')
  }, [isRefused])
  return {
    stats: stats.data,
    sensei: list.data?.sensei_list,
    isError: stats.isError || list.isError,
    /** Nothing was ever loaded, so there is nothing to show. */
    isMissing: stats.isLoadingError || list.isLoadingError,
    isFetching: stats.isFetching || list.isFetching,
    refresh: () => Promise.all([stats.refetch(), list.refetch()]),
  }
}
export type Overview = ReturnType<typeof useOverview>
