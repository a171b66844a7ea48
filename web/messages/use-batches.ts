import { messagesApi } from '@tatami/contract/messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'
import { watchMs } from './watch.ts'

const ROWS = 10

/** What went out, newest first, page by page, followed as long as something is on its way. */
export function useBatches() {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...endpointQuery(messagesApi.batches).queryKey, 'pages'],
    queryFn: ({ pageParam: before, signal }) => call(messagesApi.batches, { query: { before, limit: ROWS } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < ROWS ? undefined : page.at(-1)!.id),
    refetchInterval: ({ state }) => watchMs(state.data?.pages.flat() ?? []),
  })
  return { ...rest, batches: data?.pages.flat() }
}
