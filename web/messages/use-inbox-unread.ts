import { textingApi } from '@tatami/contract/texting/texting'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

export const useInboxUnread = (isInstructor = true): number =>
  useQuery({
    ...endpointQuery(textingApi.inboxUnread),
    enabled: isInstructor,
    refetchInterval: POLL_MS,
    retry: false,
  }).data?.unread_count ?? 0
