import { textingApi } from '@tatami/contract/texting/texting'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'

export function useInboxUnread(): number {
  const can = useCan()
  const unread = useQuery({
    ...endpointQuery(textingApi.inboxUnread),
    enabled: can('texts.read'),
    refetchInterval: POLL_MS,
    retry: false,
  })
  return unread.data?.unread_count ?? 0
}
