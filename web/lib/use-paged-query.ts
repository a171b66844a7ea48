import type { PagedEndpoint, Reply, Input } from '@tatami/contract/endpoint'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { Args } from './api.ts'
import { keyOf, read, hasFailed, retryInterval } from './query.ts'

type Filter<E extends PagedEndpoint> = Input<E> extends { query: infer Q } ? Omit<Q, 'before' | 'limit'> : never
type Options<E extends PagedEndpoint> = {
  limit: number
  filter?: Filter<E>
  /** How soon to ask again, when at all, for the rows one has. */
  pollMs?: number | ((rows: Reply<E>) => number | false)
}

/** The rows of an endpoint, newest first, `limit` more at a time. Under another filter, the former's stay until the new ones come.
 *  The first rows recover by themselves, as in useRetryingQuery. */
export function usePagedQuery<const E extends PagedEndpoint>(endpoint: E, { limit, filter, pollMs }: Options<E>) {
  const all = (pages: Reply<E>[] = []) => pages.flat() as Reply<E>
  const client = useQueryClient()
  const queryKey = [keyOf(endpoint), 'pages', filter]
  const { data, isPlaceholderData, ...rest } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: before, signal }) => read(endpoint, { query: { ...filter, before, limit } } as unknown as Args<E>[0], signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)!.id),
    placeholderData: (shown) => shown,
    refetchInterval: ({ state }) =>
      retryInterval(state) || (typeof pollMs === 'function' ? pollMs(all(state.data?.pages)) : (pollMs ?? false)),
  })
  const isUnavailable = (data === undefined || isPlaceholderData) && hasFailed(rest)
  if (!isUnavailable) return { ...rest, isPlaceholderData, rows: data && all(data.pages) }
  const retry = () => void client.resetQueries({ queryKey, exact: true })
  return { ...rest, isPlaceholderData: false, rows: undefined, isError: true, isFetching: false, refetch: retry }
}

export type Pages = Pick<
  ReturnType<typeof usePagedQuery<PagedEndpoint>>,
  'rows' | 'isError' | 'isFetching' | 'isFetchingNextPage' | 'hasNextPage' | 'fetchNextPage'
> & { refetch: () => unknown }
