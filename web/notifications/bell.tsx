import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import {
  badgeText,
  type Notification,
  type NotificationSettings,
} from '@tatami/contract/notifications/notifications'
import { useState, useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pushOwner, setAppBadge } from '../lib/push.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import styles from './bell.module.css'
import { useNotifications, useSettings } from './use-notifications.ts'

const NotificationPanel = lazyComponent(
  () => import('./notification-panel.tsx'),
  'NotificationPanel',
)

export function Bell({ accountId, isInstructor }: { accountId: string; isInstructor: boolean }) {
  const { notifications, updatedAt, unreadCount } = useNotifications()
  const visibleCount = unreadCount ?? 0
  const settings = useSettings(isInstructor)
  useAnnouncement(notifications, updatedAt, settings)
  usePushRenewal(accountId)
  useAppBadge(unreadCount)
  const [isOpen, setOpen] = useState(false)
  useOpenFromPush(() => setOpen(true))
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={styles.bell}
        aria-haspopup="dialog"
        aria-label={
          visibleCount > 0 ? `Notifications, ${badgeText(visibleCount)} unread` : 'Notifications'
        }
        {...NotificationPanel.preloadOnHover}
        onClick={() => setOpen(true)}
      >
        <IconBell size={26} stroke={1.5} aria-hidden />
        {visibleCount > 0 && (
          <span className={styles.badge} aria-hidden>
            {badgeText(visibleCount)}
          </span>
        )}
      </ActionIcon>
      {isOpen && (
        <NotificationPanel
          notifications={notifications}
          accountId={accountId}
          isInstructor={isInstructor}
          hasPushEnabled={settings?.push_enabled === true}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** A press on a push notification sends this message (public/sw.js) or opens this hash. */
const OPEN_MESSAGE = 'open-notifications'
const OPEN_HASH = '#notifications'

function useOpenFromPush(open: () => void) {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const openFromUrl = useEffectEvent(() => {
    void navigate({ pathname, search }, { replace: true, state })
    open()
  })
  const onMessage = useEffectEvent(({ data }: MessageEvent) => {
    if (data === OPEN_MESSAGE) open()
  })
  useEffect(() => {
    if (hash === OPEN_HASH) openFromUrl()
  }, [hash])
  useEffect(() => {
    const worker = navigator.serviceWorker
    const listen = (message: MessageEvent) => onMessage(message)
    worker?.addEventListener('message', listen)
    return () => worker?.removeEventListener('message', listen)
  }, [])
}

function usePushRenewal(accountId: string) {
  useEffect(() => {
    if (pushOwner() === null) return
    import('./renew-push.ts')
      .then(({ renewPush }) => renewPush(accountId))
      .catch((error: unknown) => console.warn('Push notifications could not be renewed', error))
  }, [accountId])
}

let hasInteracted = false
for (const eventType of ['pointerdown', 'keydown'])
  window.addEventListener(
    eventType,
    () => {
      hasInteracted = true
    },
    { once: true, capture: true },
  )

function useAnnouncement(
  notifications: readonly Notification[] | undefined,
  updatedAt: number,
  settings: NotificationSettings | undefined,
) {
  useEffect(() => {
    // Browsers play no sound before the first interaction. A later poll tries again.
    if (!notifications || !settings || !hasInteracted) return
    import('./announce.ts')
      .then(({ announceNew }) => announceNew(notifications, updatedAt, settings))
      .catch(() => {})
  }, [notifications, updatedAt, settings])
}

function useAppBadge(unread: number | undefined) {
  useEffect(() => {
    if (unread !== undefined) setAppBadge(unread)
  }, [unread])
  useEffect(() => () => setAppBadge(0), [])
}
