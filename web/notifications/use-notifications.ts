import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Notification,
  notificationsApi,
  POLL_MS,
  type NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'

/** There are no retries, because the next poll comes soon. Polls in the background play the
 *  sound. */
const POLLING = {
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: true,
  retry: false,
} as const

const listQuery = endpointQuery(notificationsApi.list)
/** Starts with the key of the list, so that both are invalidated together. */
export const olderNotificationsKey = [...listQuery.queryKey, 'older']

/** Polling is cheap, because the server returns 304 while nothing has changed. */
export function useNotifications() {
  const list = useQuery({ ...listQuery, ...POLLING })
  const count = useQuery({ ...endpointQuery(notificationsApi.unreadCount), ...POLLING })
  return {
    notifications: list.data,
    updatedAt: list.dataUpdatedAt,
    unreadCount: count.data?.unread_count,
  }
}

/** Shows notifications as read without waiting for the server. If the server refuses, the next poll
 *  corrects the list. */
function useMarkOnScreen() {
  const cache = useQueryClient()
  const mark = async (shouldMark: (notification: Notification) => boolean) => {
    await cache.cancelQueries({ queryKey: listQuery.queryKey })
    const read_at = new Date().toISOString()
    const markRead = (list: Notification[]) =>
      list.map((notification) =>
        shouldMark(notification) && !notification.is_read
          ? { ...notification, is_read: true, read_at }
          : notification,
      )
    cache.setQueryData(listQuery.queryKey, (list) => list && markRead(list))
    cache.setQueriesData<InfiniteData<Notification[]>>(
      { queryKey: olderNotificationsKey },
      (olderPages) => olderPages && { ...olderPages, pages: olderPages.pages.map(markRead) },
    )
  }
  return { mark, revert: () => void cache.invalidateQueries({ queryKey: listQuery.queryKey }) }
}

export function useMarkRead() {
  const { mark, revert } = useMarkOnScreen()
  return useEndpointMutation(notificationsApi.markRead, {
    refreshes: [notificationsApi.unreadCount],
    onMutate: ({ params }) => mark(({ id }) => id === params.id),
    onError: revert,
  }).mutate
}

export function useMarkAllRead() {
  const { mark, revert } = useMarkOnScreen()
  return useEndpointMutation(notificationsApi.markAllRead, {
    refreshes: [notificationsApi.unreadCount],
    onMutate: ({ body }) => mark(({ id }) => id <= body.up_to),
    onError: revert,
  }).mutate
}

export const settingsQuery = endpointQuery(notificationsApi.settings)

const ALL_ON: NotificationSettings = {
  sound_enabled: true,
  vibration_enabled: true,
  push_enabled: true,
}

/** Instructors have no settings: everything is on (specification, section 6). */
export function useSettings(isInstructor: boolean): NotificationSettings | undefined {
  const { data } = useQuery({ ...settingsQuery, enabled: !isInstructor })
  return isInstructor ? ALL_ON : data
}
