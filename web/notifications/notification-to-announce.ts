import { FRESH_MS, type Notification } from '@tatami/contract/notifications'

/**
 * The notification to announce by sound and vibration: the newest, if it is unread, fresh by the server's clock `now` in milliseconds
 * (specification, section 4), and not `lastAnnounced`, the id of the one announced before. `newestFirst` is the list as the server sends it.
 */
export function notificationToAnnounce(
  newestFirst: readonly Notification[],
  now: number,
  lastAnnounced: string | null,
): Notification | null {
  const [newest] = newestFirst
  if (!newest || newest.is_read || newest.id === lastAnnounced) return null
  return now - Date.parse(newest.created_at) < FRESH_MS ? newest : null
}
