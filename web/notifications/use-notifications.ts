import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Notification, notificationsApi, POLL_MS, type NotificationSettings } from '@tatami/contract/notifications'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

/** The next poll is the next try. A page in the background goes on asking, so that it can be heard from there. */
const POLLED = { refetchInterval: POLL_MS, refetchIntervalInBackground: true, retry: false } as const

const listQuery = endpointQuery(notificationsApi.list)
/** Beside the polled list, and outdated with it. */
export const olderKey = [...listQuery.queryKey, 'older']

/** One's notifications, newest first, and how many are unread. While nothing changes the server answers each poll with 304. */
export function useNotifications() {
  const list = useQuery({ ...listQuery, ...POLLED })
  const count = useQuery({ ...endpointQuery(notificationsApi.unreadCount), ...POLLED })
  return { notifications: list.data, askedAt: list.dataUpdatedAt, unread: count.data?.unread_count ?? 0 }
}

/** Marks one read: here at once, then at the server, which then says how many are left. */
export function useMarkRead() {
  const cache = useQueryClient()
  return useEndpointMutation(notificationsApi.markRead, {
    refreshes: [notificationsApi.unreadCount],
    onMutate: async ({ params: { id } }) => {
      // An answer that is under way does not know of it yet.
      await cache.cancelQueries({ queryKey: listQuery.queryKey })
      const read_at = new Date().toISOString()
      const marked = (list: Notification[]) => list.map((one) => (one.id === id ? { ...one, is_read: true, read_at } : one))
      cache.setQueryData(listQuery.queryKey, (known) => known && marked(known))
      cache.setQueriesData<InfiniteData<Notification[]>>(
        { queryKey: olderKey },
        (known) => known && { ...known, pages: known.pages.map(marked) },
      )
    },
    onError: () => void cache.invalidateQueries({ queryKey: listQuery.queryKey }),
  }).mutate
}

export const settingsQuery = endpointQuery(notificationsApi.settings)

const ALL_ON: NotificationSettings = { sound_enabled: true, vibration_enabled: true, push_enabled: true }

/** Instructors have no settings of their own: for them all are on (specification, section 6). Undefined while they are not known. */
export function useSettings(isInstructor: boolean): NotificationSettings | undefined {
  const { data } = useQuery({ ...settingsQuery, enabled: !isInstructor })
  return isInstructor ? ALL_ON : data
}
