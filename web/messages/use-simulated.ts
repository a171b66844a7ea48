import { messagesApi } from '@tatami/contract/messages'
import { POLL_MS } from '@tatami/contract/notifications'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'
import { fateOf } from './fates.ts'
import { WATCH_MS } from './watch.ts'

const ROWS = 100

/** What would have gone out and what was answered; asked every two seconds while something is on its way. */
export function useSimulated() {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...endpointQuery(messagesApi.simulated).queryKey, 'pages'],
    queryFn: ({ pageParam: before, signal }) => call(messagesApi.simulated, { query: { before, limit: ROWS } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < ROWS ? undefined : page.at(-1)!.id),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some((text) => fateOf(text.state) === 'on_its_way') ? WATCH_MS : POLL_MS),
  })
  const { data: answers = [], isPending } = useQuery(endpointQuery(messagesApi.inbox))
  // A phone that grew by its answers a moment later would push the others down.
  return { ...rest, texts: isPending ? undefined : data?.pages.flat(), answers }
}
