import { VisuallyHidden } from '@mantine/core'
import type { Notification } from '@tatami/contract/notifications'
import { showMoment } from '../lib/dates.ts'
import unread from '../ui/unread-dot.module.css'
import classes from './notification-row.module.css'

/** A press marks it read. An unread one has its dot and stands out. */
export const NotificationRow = ({
  notification: { title, message, sender_name, created_at, is_read },
  onRead,
}: {
  notification: Notification
  onRead: () => void
}) => (
  <button type="button" className={`${unread.dot} ${classes.row}`} data-unread={!is_read} onClick={onRead}>
    <span className={classes.title}>
      {!is_read && <VisuallyHidden>Unread: </VisuallyHidden>}
      {title}
    </span>
    <span className={classes.message}>{message}</span>
    <span className={classes.about}>
      {sender_name && <span>{sender_name}</span>}
      <time dateTime={created_at}>{showMoment(created_at)}</time>
    </span>
  </button>
)
