import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import {
  badge,
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
  const { notifications, updatedAt, unread: unreadCount } = useNotifications()
  const unread = unreadCount ?? 0
  const settings = useSettings(isInstructor)
  useAlert(notifications, updatedAt, settings)
  usePushRenewal(accountId)
  useAppBadge(unreadCount)
  const [isOpen, setOpen] = useState(false)
  useOpenedFromOutside(() => setOpen(true))
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={styles.bell}
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notifications, ${badge(unread)} unread` : 'Notifications'}
        {...NotificationPanel.preloadOnHover}
        onClick={() => setOpen(true)}
      >
        <IconBell size={26} stroke={1.5} aria-hidden />
        {unread > 0 && (
          <span className={styles.badge} aria-hidden>
            {badge(unread)}
          </span>
        )}
      </ActionIcon>
      {isOpen && (
        <NotificationPanel
          notifications={notifications}
          accountId={accountId}
          isInstructor={isInstructor}
          isPushed={settings?.push_enabled === true}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Sent by the service worker (public/sw.js) and send-push.ts. */
const MESSAGE = 'open-notifications',
  HASH = '#notifications'

function useOpenedFromOutside(open: () => void) {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const openByAddress = useEffectEvent(() => {
    // Removes the hash, so that a reload or the Back button does not reopen the panel.
    void navigate({ pathname, search }, { replace: true, state })
    open()
  })
  const onMessage = useEffectEvent(({ data }: MessageEvent) => {
    if (data === MESSAGE) open()
  })
  useEffect(() => {
    if (hash === HASH) openByAddress()
  }, [hash])
  useEffect(() => {
    const worker = navigator.serviceWorker
    const listen = (message: MessageEvent) => onMessage(message)
    worker?.addEventListener('message', listen)
    return () => worker?.removeEventListener('message', listen)
  }, [])
}

/** Renews the subscription once per page load. */
function usePushRenewal(accountId: string) {
  useEffect(() => {
    if (pushOwner() === null) return
    import('./renew-push.ts')
      .then(({ renewPush }) => renewPush(accountId))
      .catch((error: unknown) => console.warn('Push notifications could not be renewed', error))
  }, [accountId])
}

let hasInteracted = false
for (const touch of ['pointerdown', 'keydown'])
  window.addEventListener(
    touch,
    () => {
      hasInteracted = true
    },
    { once: true, capture: true },
  )

function useAlert(
  notifications: readonly Notification[] | undefined,
  updatedAt: number,
  settings: NotificationSettings | undefined,
) {
  useEffect(() => {
    // Browsers play no sound before the first interaction, so the next poll tries again.
    if (!notifications || !settings || !hasInteracted) return
    import('./announce.ts')
      .then(({ announceNew }) => announceNew(notifications, updatedAt, settings))
      .catch(() => {})
  }, [notifications, updatedAt, settings])
}

/** logout.ts clears the number on the app icon, too. */
function useAppBadge(unread: number | undefined) {
  useEffect(() => {
    if (unread !== undefined) setAppBadge(unread)
  }, [unread])
  useEffect(() => () => setAppBadge(0), [])
}
