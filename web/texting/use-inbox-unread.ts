import { textingApi } from '@tatami/contract/texting'
import { POLL_MS } from '@tatami/contract/notifications'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'

/** How much of what people wrote back is unread. While nothing changes the server answers each poll with 304. For instructors. */
export const useInboxUnread = (isInstructor = true): number =>
  useQuery({ ...endpointQuery(textingApi.inboxUnread), enabled: isInstructor, refetchInterval: POLL_MS, retry: false }).data
    ?.unread_count ?? 0
