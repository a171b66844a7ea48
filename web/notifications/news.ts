import { FRESH_MS, type Notification } from '@tatami/contract/notifications'

/**
 * What is to be heard and felt: the newest notification, while it is unread and fresh by the server's clock, `now` (specification,
 * section 4), unless it is `lastAnnounced`, the id of the one before. `newestFirst` is the list as the server gives it.
 */
export function newsIn(newestFirst: readonly Notification[], now: number, lastAnnounced: string | null): Notification | null {
  const [newest] = newestFirst
  if (!newest || newest.is_read || newest.id === lastAnnounced) return null
  return now - Date.parse(newest.created_at) < FRESH_MS ? newest : null
}
