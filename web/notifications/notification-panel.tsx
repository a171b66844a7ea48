import { Button } from '@mantine/core'
import { type Notification, notificationsApi } from '@tatami/contract/notifications/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DEFAULT_PAGE_SIZE } from '@tatami/contract/lib/fields'
import { type ReactNode, useState } from 'react'
import { formatDateTime } from '../lib/dates.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { type LinkPath, studentPath } from '../lib/paths.ts'
import { pushSupport, type PushSupport } from '../lib/push.ts'
import { readEndpoint } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import unreadDot from '../ui/row-marks.module.css'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './notification-panel.module.css'
import { groupSimilar } from './notification-groups.ts'
import { BrowserPushSetting } from './browser-push-setting.tsx'
import { useMarkAllRead, useMarkRead, olderNotificationsKey } from './use-notifications.ts'
import kit from '../ui/kit.module.css'

const ACTIONABLE_STATES: PushSupport[] = ['ready', 'denied', 'home-screen']

type Props = {
  notifications: readonly Notification[] | undefined
  accountId: string
  isInstructor: boolean
  hasPushEnabled: boolean
  onClose: () => void
}

export function NotificationPanel({
  notifications,
  accountId,
  isInstructor,
  hasPushEnabled,
  onClose,
}: Props) {
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Notifications"
      actions={
        hasPushEnabled &&
        ACTIONABLE_STATES.includes(pushSupport()) && <BrowserPushSetting accountId={accountId} />
      }
    >
      {!notifications && <Skeletons label="Loading notifications..." />}
      {notifications?.length === 0 && (
        <EmptyState>Nothing yet. News from your dojo appears here.</EmptyState>
      )}
      {notifications && notifications.length > 0 && (
        <NotificationList newest={notifications} linksToStudents={isInstructor} onLeave={onClose} />
      )}
    </Sheet>
  )
}

type ListProps = {
  newest: readonly Notification[]
  linksToStudents: boolean
  onLeave: () => void
}

function NotificationList({ newest, linksToStudents, onLeave }: ListProps) {
  const markRead = useMarkRead()
  const { olderNotifications, hasMore, loadMore, isFetching, isError } =
    useOlderNotifications(newest)
  const notifications = [...newest, ...olderNotifications]
  const renderRow = (notification: Notification) => (
    <NotificationRow
      notification={notification}
      linkPath={
        notification.opens ??
        (linksToStudents && notification.student_id ? studentPath(notification.student_id) : null)
      }
      onRead={() => notification.is_read || markRead({ params: { id: notification.id } })}
      onLeave={onLeave}
    />
  )
  return (
    <>
      <ReadAll notifications={notifications} />
      <ul className={`${kit.hairlines} ${styles.list}`}>
        {groupSimilar(notifications).map(({ newest: notification, similar }) => (
          <li key={notification.id}>
            {renderRow(notification)}
            {similar.length > 0 && (
              <SimilarNotifications notifications={similar} renderRow={renderRow} />
            )}
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className={`${kit.stackTight} ${styles.showMore}`}>
          <ErrorNotice>
            {isError && !isFetching && 'Older notifications could not be loaded.'}
          </ErrorNotice>
          <BusyButton variant="default" busy={isFetching} busyLabel="Loading..." onClick={loadMore}>
            Show more
          </BusyButton>
        </div>
      )}
    </>
  )
}

const countUnread = (notifications: readonly Notification[]) =>
  notifications.filter(({ is_read }) => !is_read).length

/** Remains on the screen after everything was read, so that the list does not move up. */
function ReadAll({ notifications }: { notifications: readonly Notification[] }) {
  const markAllRead = useMarkAllRead()
  const unreadCount = countUnread(notifications)
  const [newest] = notifications
  return (
    <div className={`${kit.spread} ${styles.readAll}`}>
      <p className={kit.note} role="status">
        {unreadCount > 0 ? `${unreadCount} unread` : 'All read'}
      </p>
      {newest && unreadCount > 0 && (
        <Button
          variant="subtle"
          mr="-1rem"
          onClick={() => markAllRead({ body: { up_to: newest.id } })}
        >
          Mark all read
        </Button>
      )}
    </div>
  )
}

type SimilarProps = {
  notifications: readonly Notification[]
  renderRow: (notification: Notification) => ReactNode
}

function SimilarNotifications({ notifications, renderRow }: SimilarProps) {
  const unreadCount = countUnread(notifications)
  const summary = `${notifications.length} more like this`
  return (
    <Disclosure summary={unreadCount > 0 ? `${summary}, ${unreadCount} unread` : summary}>
      <ul className={kit.hairlines}>
        {notifications.map((notification) => (
          <li key={notification.id}>{renderRow(notification)}</li>
        ))}
      </ul>
    </Disclosure>
  )
}

const LINK_LABELS: Record<NonNullable<Notification['opens']>, string> = {
  '/notification-settings': 'Open Settings',
  '/automatic-reminders': 'See who gets it',
  '/message-center': 'Open Message Center',
  '/staff': 'Open Staff',
  '/my-certificates': 'See your certificates',
  '/online-payment': 'Open Online payment',
  '/online-payments': 'Open Online payments',
  '/trials': 'Open Trials',
  '/leads': 'Open Leads',
  '/documents': 'Open Documents',
  '/my-documents': 'See what to sign',
}

type RowProps = {
  notification: Notification
  linkPath: LinkPath | null
  onRead: () => void
  onLeave: () => void
}

function NotificationRow({ notification, linkPath, onRead, onLeave }: RowProps) {
  const { title, message, sender_name, created_at, is_read, opens } = notification
  const rowProps = {
    className: `${kit.bareButton} ${unreadDot.dot} ${styles.row}`,
    'data-unread': !is_read,
  }
  const content = (
    <>
      <span className={styles.title}>
        {!is_read && <VisuallyHidden>Unread: </VisuallyHidden>}
        {title}
      </span>
      <span className={styles.message}>{message}</span>
      {opens && <span className={`${kit.strong} ${styles.linkLabel}`}>{LINK_LABELS[opens]}</span>}
      <span className={`${kit.wrap} ${kit.note} ${styles.details}`}>
        {sender_name && <span>{sender_name}</span>}
        <time dateTime={created_at}>{formatDateTime(created_at)}</time>
      </span>
    </>
  )
  if (!linkPath)
    return (
      <button type="button" {...rowProps} onClick={onRead}>
        {content}
      </button>
    )
  const openLink = () => {
    onRead()
    onLeave()
  }
  // Replaces the panel's history entry, so that Back returns to the page below the panel.
  return (
    <LayoutLink to={linkPath} replace {...rowProps} onClick={openLink}>
      {content}
    </LayoutLink>
  )
}

const findNextCursor = (page: readonly Notification[]) =>
  page.length < DEFAULT_PAGE_SIZE ? undefined : page.at(-1)?.id

function useOlderNotifications(notifications: readonly Notification[]) {
  const [frozenCursor, setFrozenCursor] = useState<string>()
  const cursor = frozenCursor ?? findNextCursor(notifications)
  const { data, fetchNextPage, hasNextPage, isFetching, isError } = useInfiniteQuery({
    queryKey: [...olderNotificationsKey, cursor],
    queryFn: ({ pageParam, signal }) =>
      readEndpoint(notificationsApi.list, { query: { before: pageParam } }, signal),
    initialPageParam: cursor,
    getNextPageParam: findNextCursor,
    enabled: false,
  })
  const loadMore = () => {
    // Without this, the older pages would start elsewhere when a new notification arrives.
    setFrozenCursor(cursor)
    void fetchNextPage()
  }
  return {
    olderNotifications: data?.pages.flat() ?? [],
    hasMore: data ? hasNextPage : cursor !== undefined,
    loadMore,
    isFetching,
    isError,
  }
}
