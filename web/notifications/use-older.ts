import { useInfiniteQuery } from '@tanstack/react-query'
import { PAGE } from '@tatami/contract/fields'
import { type Notification, notificationsApi } from '@tatami/contract/notifications'
import { useState } from 'react'
import { read } from '../lib/query.ts'
import { olderKey } from './use-notifications.ts'

const lastOf = (page: readonly Notification[]) => (page.length < PAGE ? undefined : page.at(-1)?.id)

/** What the polled list no longer reaches, page after page, once it is asked for. */
export function useOlder(newest: readonly Notification[]) {
  const [first, setFirst] = useState<string>()
  const before = first ?? lastOf(newest)
  const { data, fetchNextPage, hasNextPage, isFetching, isError } = useInfiniteQuery({
    queryKey: [...olderKey, before],
    queryFn: ({ pageParam, signal }) => read(notificationsApi.list, { query: { before: pageParam } }, signal),
    initialPageParam: before,
    getNextPageParam: lastOf,
    enabled: false,
  })
  const more = () => {
    // What arrives from now on must not move the place where the older ones begin.
    setFirst(before)
    void fetchNextPage()
  }
  return { older: data?.pages.flat() ?? [], hasMore: data ? hasNextPage : before !== undefined, more, isFetching, isError }
}
