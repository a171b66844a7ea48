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
import { lazyPart } from '../ui/lazy-component.tsx'
import styles from './bell.module.css'
import { useNotifications, useSettings } from './use-notifications.ts'

const NotificationPanel = lazyPart(() => import('./notification-panel.tsx'), 'NotificationPanel')

/** The bell with the number of unread notifications, which the app's icon has, too; plays a sound and vibrates for new ones. */
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
        {...NotificationPanel.intent}
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

/** What the service worker says to an open page (public/sw.js), and the end of the address it opens otherwise (send-push.ts). */
const MESSAGE = 'open-notifications',
  HASH = '#notifications'

/** Opens the panel when a tap on a push notification led to this page. */
function useOpenedFromOutside(open: () => void) {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const openByAddress = useEffectEvent(() => {
    // The hash is removed, so that neither a reload nor the back button opens the panel again.
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

/** Renews the push subscription once per page load, in browsers where somebody turned push on. */
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

/** Plays a sound and vibrates for a new notification. `updatedAt` is when the server last answered. */
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

/** Shows the number of unread notifications on the icon of the installed app, until the session ends here (logout.ts, too). */
function useAppBadge(unread: number | undefined) {
  useEffect(() => {
    if (unread !== undefined) setAppBadge(unread)
  }, [unread])
  useEffect(() => () => setAppBadge(0), [])
}
