import type { Notification } from '@tatami/contract/notifications'
import { pushSupport, type PushSupport } from '../lib/push.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { PushHere } from './push-here.tsx'
import { NotificationRow } from './notification-row.tsx'
import classes from './notification-panel.module.css'
import { useMarkRead } from './use-notifications.ts'
import { useOlder } from './use-older.ts'

/** Where something can be done about it here; the rest is said in the settings. */
const MAY_BE: PushSupport[] = ['ready', 'denied', 'home-screen']

type Props = { notifications: readonly Notification[] | undefined; accountId: string; isPushed: boolean; onClose: () => void }

/** `notifications` is undefined while they were not loaded yet. Where push is on, the foot says whether this browser takes part. */
export function NotificationPanel({ notifications, accountId, isPushed, onClose }: Props) {
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Notifications"
      actions={isPushed && MAY_BE.includes(pushSupport()) && <PushHere accountId={accountId} />}
    >
      {!notifications && <Skeletons label="Loading notifications..." />}
      {notifications?.length === 0 && <EmptyState>Nothing yet. News from your dojo appears here.</EmptyState>}
      {notifications && notifications.length > 0 && <List newest={notifications} />}
    </Sheet>
  )
}

function List({ newest }: { newest: readonly Notification[] }) {
  const markRead = useMarkRead()
  const { older, hasMore, more, isFetching, isError } = useOlder(newest)
  return (
    <>
      <ul className={classes.list}>
        {[...newest, ...older].map((one) => (
          <li key={one.id}>
            <NotificationRow notification={one} onRead={() => one.is_read || markRead({ params: { id: one.id } })} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className={classes.more}>
          <ErrorNotice>{isError && !isFetching && 'Older notifications could not be loaded.'}</ErrorNotice>
          <BusyButton variant="default" busy={isFetching} busyLabel="Loading..." onClick={more}>
            Show more
          </BusyButton>
        </div>
      )}
    </>
  )
}
