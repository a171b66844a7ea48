import type { Notification } from '@tatami/contract/notifications/notifications'

export type NotificationGroup = {
  newest: Notification
  /** Older notifications with the same title, which the panel shows when asked to. */
  similar: Notification[]
}

const MIN_SIMILAR = 3

/** Keeps the order. Only four or more in a row with one title are a group. */
export function groupSimilar(notifications: readonly Notification[]): NotificationGroup[] {
  const groups: NotificationGroup[] = []
  for (const notification of notifications) {
    const group = groups.at(-1)
    if (group?.newest.title === notification.title) group.similar.push(notification)
    else groups.push({ newest: notification, similar: [] })
  }
  return groups.flatMap((group) =>
    group.similar.length < MIN_SIMILAR
      ? [group.newest, ...group.similar].map((newest) => ({ newest, similar: [] }))
      : [group],
  )
}
