import type { Paged, Reply, Sent } from '@tatami/contract/endpoint'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type Args } from './api.ts'
import { keyOf } from './query.ts'

type Filter<E extends Paged> = Sent<E> extends { query: infer Q } ? Omit<Q, 'before' | 'limit'> : never
type Options<E extends Paged> = {
  limit: number
  filter?: Filter<E>
  /** How soon to ask again, when at all, for the rows one has. */
  pollMs?: number | ((rows: Reply<E>) => number | false)
}

/** The rows of an endpoint, newest first, `limit` more at a time. Under another filter, the former's stay until the new ones come. */
export function usePages<const E extends Paged>(endpoint: E, { limit, filter, pollMs }: Options<E>) {
  const all = (pages: Reply<E>[] = []) => pages.flat() as Reply<E>
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [keyOf(endpoint), 'pages', filter],
    queryFn: ({ pageParam: before, signal }) => call(endpoint, { query: { ...filter, before, limit } } as unknown as Args<E>[0], signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)!.id),
    placeholderData: (shown) => shown,
    refetchInterval: ({ state }) => (typeof pollMs === 'function' ? pollMs(all(state.data?.pages)) : (pollMs ?? false)),
  })
  return { ...rest, rows: data && all(data.pages) }
}

export type Pages = Pick<
  ReturnType<typeof usePages<Paged>>,
  'rows' | 'isError' | 'isFetching' | 'isFetchingNextPage' | 'hasNextPage' | 'fetchNextPage' | 'refetch'
>
