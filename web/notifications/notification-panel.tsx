import type { Notification } from '@tatami/contract/notifications'
import { EmptyState } from '../ui/empty-state.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { NotificationRow } from './notification-row.tsx'
import classes from './notification-panel.module.css'
import { useMarkRead } from './use-notifications.ts'

/** `notifications` is undefined while they were not loaded yet. */
export function NotificationPanel({ notifications, onClose }: { notifications: readonly Notification[] | undefined; onClose: () => void }) {
  const markRead = useMarkRead()
  return (
    <Sheet opened onClose={onClose} title="Notifications">
      {!notifications && <Skeletons label="Loading notifications..." />}
      {notifications?.length === 0 && <EmptyState>Nothing new. What your dojo should know appears here.</EmptyState>}
      {notifications && notifications.length > 0 && (
        <ul className={classes.list}>
          {notifications.map((one) => (
            <li key={one.id}><NotificationRow notification={one} onRead={() => one.is_read || markRead({ params: { id: one.id } })} /></li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
