import type { Endpoint, PagedEndpoint, Reply, Input } from '@tatami/contract/lib/endpoint'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Args } from './api.ts'
import { endpointKey, readEndpoint, hasFailed, retryInterval } from './query.ts'

type QueryingEndpoint = Endpoint & { query: z.ZodType }
type Filter<E extends QueryingEndpoint> =
  Input<E> extends { query: infer Q } ? Omit<Q, 'before' | 'limit'> : never
type Params<E extends QueryingEndpoint> = Input<E> extends { params: infer P } ? P : never
type Options<E extends QueryingEndpoint, R> = {
  limit: number
  params?: Params<E>
  filter?: Filter<E>
  pollMs?: number | ((rows: R[]) => number | false)
}
type RowsOptions<E extends QueryingEndpoint, R> = Options<E, R> & {
  rowsOf: (reply: Reply<E>) => R[]
  idOf: (row: R) => string
}

/** Loads `limit` rows at a time, the newest first. While a new filter loads, the old rows stay. */
export const usePagedQuery = <const E extends PagedEndpoint>(
  endpoint: E,
  options: Options<E, Reply<E>[number]>,
) =>
  usePagedRows<E, Reply<E>[number]>(endpoint, {
    ...options,
    rowsOf: (reply) => reply,
    idOf: ({ id }) => id,
  })

/** For endpoints with the rows in a field of the reply, or with another id than `id`. */
export function usePagedRows<const E extends QueryingEndpoint, R>(
  endpoint: E,
  { limit, params, filter, pollMs, rowsOf, idOf }: RowsOptions<E, R>,
) {
  const rowsIn = (pages: Reply<E>[] = []) => pages.flatMap(rowsOf)
  const client = useQueryClient()
  const queryKey = [endpointKey(endpoint), 'pages', limit, filter, params]
  const { data, isPlaceholderData, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: beforeId, signal }) =>
      readEndpoint(
        endpoint,
        { params, query: { ...filter, before: beforeId, limit } } as unknown as Args<E>[0],
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
