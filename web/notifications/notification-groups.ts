import type { Notification } from '@tatami/contract/notifications/notifications'

export type NotificationGroup = {
  newest: Notification
  /** Older notifications with the same title, which the panel shows on request. */
  similar: Notification[]
}

const MIN_SIMILAR = 3

/** Groups notifications in a row that have the same title, if there are four or more. */
export function groupSimilar(notifications: readonly Notification[]): NotificationGroup[] {
  const groups: NotificationGroup[] = []
  for (const notification of notifications) {
    const group = groups.at(-1)
    if (group?.newest.title === notification.title) group.similar.push(notification)
    else groups.push({ newest: notification, similar: [] })
  }
  return groups.flatMap((group) =>
    group.similar.length >= MIN_SIMILAR ? [group] : splitGroup(group),
  )
}

const splitGroup = ({ newest, similar }: NotificationGroup): NotificationGroup[] =>
  [newest, ...similar].map((notification) => ({ newest: notification, similar: [] }))
