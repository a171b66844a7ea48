import { messagesApi } from '@tatami/contract/messages'
import { POLL_MS } from '@tatami/contract/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'

const ROWS = 10

/** What people wrote back, newest first, page by page. */
export function useInbox() {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...endpointQuery(messagesApi.inbox).queryKey, 'pages'],
    queryFn: ({ pageParam: before, signal }) => call(messagesApi.inbox, { query: { before, limit: ROWS } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < ROWS ? undefined : page.at(-1)!.id),
    refetchInterval: POLL_MS,
  })
  return { ...rest, texts: data?.pages.flat() }
}
