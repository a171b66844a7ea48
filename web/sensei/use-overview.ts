import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { textingApi } from '@tatami/contract/texting/texting'
import { SENSEI_FILTERS, senseiApi } from '@tatami/contract/sensei/sensei'
import { useEffect } from 'react'
import { logout } from '../accounts/logout.ts'
import { ApiError } from '../lib/api.ts'
import { endpointQuery, endpointKey } from '../lib/query.ts'
import { useSearchText, useUrlChoice } from '../lib/url-query.ts'
import { usePagedRows } from '../lib/use-paged-query.ts'
import { SORT_CHOICES } from './sensei-columns.ts'

const PAGE_SIZE = 50
const TYPING_PAUSE_MS = 250

const isForbiddenError = (error: unknown) => error instanceof ApiError && error.status === 403

function useListFilters() {
  const [search, setSearch] = useSearchText()
  const [filter, setFilter] = useUrlChoice('filter', SENSEI_FILTERS)
  const [sort, setSort] = useUrlChoice('sort', SORT_CHOICES)
  const [debouncedSearch] = useDebouncedValue(search.trim(), TYPING_PAUSE_MS)
  const activeSearch = search.trim() && debouncedSearch
  return { search, setSearch, activeSearch, filter, setFilter, sort, setSort }
}

/** A response of 403 logs the user out (specification, section 6). */
export function useOverview() {
  const filters = useListFilters()
  const { activeSearch, filter: status, sort } = filters
  const client = useQueryClient()
  const stats = useQuery(endpointQuery(senseiApi.stats))
  const config = useQuery(endpointQuery(textingApi.systemConfig))
  const list = usePagedRows(senseiApi.list, {
    limit: PAGE_SIZE,
    filter: { status, sort, ...(activeSearch && { search: activeSearch }) },
    rowsOf: ({ sensei_list }) => sensei_list,
    idOf: ({ sensei_id }) => sensei_id,
  })
  const isForbidden = [stats, list, config].some(({ error }) => isForbiddenError(error))
  useEffect(() => {
    if (isForbidden) void logout()
  }, [isForbidden])
  return {
    filters,
    stats: stats.data,
    list,
    config: config.data,
    isError:
      stats.isError || config.isError || (list.status === 'error' && !list.isFetchNextPageError),
    isUnavailable: stats.isLoadingError,
    isFetching: stats.isFetching || list.isFetching,
    refresh: () => {
      // The cached lists for other filters are outdated.
      client.removeQueries({ queryKey: [endpointKey(senseiApi.list)], type: 'inactive' })
      return Promise.all([stats.refetch(), list.refetch(), config.refetch()])
    },
  }
}
export type Overview = ReturnType<typeof useOverview>
