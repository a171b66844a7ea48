import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Notification,
  notificationsApi,
  POLL_MS,
  type NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

/** The next poll is the retry. A page in the background keeps polling, so that it can play the sound. */
const POLLING = {
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: true,
  retry: false,
} as const

const listQuery = endpointQuery(notificationsApi.list)
/** Below the key of the polled list, so that both are invalidated together. */
export const olderKey = [...listQuery.queryKey, 'older']

/** The user's notifications, newest first, and how many are unread, undefined until the server has said so. The server answers each poll with 304 while nothing changes. */
export function useNotifications() {
  const list = useQuery({ ...listQuery, ...POLLING })
  const count = useQuery({ ...endpointQuery(notificationsApi.unreadCount), ...POLLING })
  return {
    notifications: list.data,
    updatedAt: list.dataUpdatedAt,
    unread: count.data?.unread_count,
  }
}

/** Marks a notification read optimistically, then on the server, and refreshes the unread count. */
export function useMarkRead() {
  const cache = useQueryClient()
  return useEndpointMutation(notificationsApi.markRead, {
    refreshes: [notificationsApi.unreadCount],
    onMutate: async ({ params: { id } }) => {
      // A response in flight does not include the change yet.
      await cache.cancelQueries({ queryKey: listQuery.queryKey })
      const read_at = new Date().toISOString()
      const markRead = (list: Notification[]) =>
        list.map((notification) =>
          notification.id === id ? { ...notification, is_read: true, read_at } : notification,
        )
      cache.setQueryData(listQuery.queryKey, (list) => list && markRead(list))
      cache.setQueriesData<InfiniteData<Notification[]>>(
        { queryKey: olderKey },
        (older) => older && { ...older, pages: older.pages.map(markRead) },
      )
    },
    onError: () => void cache.invalidateQueries({ queryKey: listQuery.queryKey }),
  }).mutate
}

export const settingsQuery = endpointQuery(notificationsApi.settings)

const ALL_ON: NotificationSettings = {
  sound_enabled: true,
  vibration_enabled: true,
  push_enabled: true,
}

/** Instructors have no settings of their own: all are on (specification, section 6). Undefined until they are known. */
export function useSettings(isInstructor: boolean): NotificationSettings | undefined {
  const { data } = useQuery({ ...settingsQuery, enabled: !isInstructor })
  return isInstructor ? ALL_ON : data
}
