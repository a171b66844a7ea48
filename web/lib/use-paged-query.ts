import type { Endpoint, PagedEndpoint, Reply, Input } from '@tatami/contract/lib/endpoint'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Args } from './api.ts'
import { endpointKey, readEndpoint, hasFailed, retryInterval } from './query.ts'

type QueryingEndpoint = Endpoint & { query: z.ZodType }
type Filter<CalledEndpoint extends QueryingEndpoint> =
  Input<CalledEndpoint> extends { query: infer Query } ? Omit<Query, 'before' | 'limit'> : never
type Params<CalledEndpoint extends QueryingEndpoint> =
  Input<CalledEndpoint> extends { params: infer PathParams } ? PathParams : never
type Options<CalledEndpoint extends QueryingEndpoint, Row> = {
  limit: number
  params?: Params<CalledEndpoint>
  filter?: Filter<CalledEndpoint>
  pollMs?: number | ((rows: Row[]) => number | false)
}
type RowsOptions<CalledEndpoint extends QueryingEndpoint, Row> = Options<CalledEndpoint, Row> & {
  rowsOf: (reply: Reply<CalledEndpoint>) => Row[]
  idOf: (row: Row) => string
}

/** Loads `limit` rows at a time, the newest first. While a new filter loads, the old rows stay. */
export const usePagedQuery = <const CalledEndpoint extends PagedEndpoint>(
  endpoint: CalledEndpoint,
  options: Options<CalledEndpoint, Reply<CalledEndpoint>[number]>,
) =>
  usePagedRows<CalledEndpoint, Reply<CalledEndpoint>[number]>(endpoint, {
    ...options,
    rowsOf: (reply) => reply,
    idOf: ({ id }) => id,
  })

/** For endpoints whose rows are in a field of the reply, or whose rows have no field `id`. */
export function usePagedRows<const CalledEndpoint extends QueryingEndpoint, Row>(
  endpoint: CalledEndpoint,
  { limit, params, filter, pollMs, rowsOf, idOf }: RowsOptions<CalledEndpoint, Row>,
) {
  const rowsIn = (pages: Reply<CalledEndpoint>[] = []) => pages.flatMap(rowsOf)
  const client = useQueryClient()
  const queryKey = [endpointKey(endpoint), 'pages', limit, filter, params]
  const { data, isPlaceholderData, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: beforeId, signal }) =>
      readEndpoint(
        endpoint,
        {
          params,
          query: { ...filter, before: beforeId, limit },
        } as unknown as Args<CalledEndpoint>[0],
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => {
      const rows = rowsOf(page)
      const lastRow = rows.at(-1)
      return lastRow === undefined || rows.length < limit ? undefined : idOf(lastRow)
    },
    placeholderData: (previousData) => previousData,
    refetchInterval: ({ state }) =>
      retryInterval(state) ||
      (typeof pollMs === 'function' ? pollMs(rowsIn(state.data?.pages)) : (pollMs ?? false)),
  })
  const isUnavailable = (data === undefined || isPlaceholderData) && hasFailed(query)
  if (!isUnavailable) return { ...query, isPlaceholderData, rows: data && rowsIn(data.pages) }
  const retry = () => void client.resetQueries({ queryKey, exact: true })
  return {
    ...query,
    isPlaceholderData: false,
    rows: undefined,
    isError: true,
    isFetching: false,
    refetch: retry,
  }
}

export type PagedQuery = {
  rows: readonly unknown[] | undefined
  isError: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  hasNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}
