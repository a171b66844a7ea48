import type { Notification } from '@tatami/contract/notifications/notifications'

export type NotificationGroup = {
  newest: Notification
  /** Older notifications with the same title, which the panel shows on request. */
  similar: Notification[]
}

const MIN_SIMILAR = 3

/** Groups four or more notifications in a row that have the same title. Keeps the order. */
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
