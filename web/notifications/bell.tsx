import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { badge } from '@tatami/contract/notifications'
import { useState } from 'react'
import { lazyPart } from '../ui/lazy-part.tsx'
import classes from './bell.module.css'
import { useAlert } from './use-alert.ts'
import { useNotifications } from './use-notifications.ts'
import { useOpenedFromOutside } from './use-opened-from-outside.ts'
import { usePushRenewal } from './use-push-renewal.ts'
import { useSettings } from './use-settings.ts'

const NotificationPanel = lazyPart(() => import('./notification-panel.tsx').then((part) => part.NotificationPanel))

/** The bell of the shells, with how many are unread. It rings, too. */
export function Bell({ accountId, isInstructor }: { accountId: string; isInstructor: boolean }) {
  const { notifications, askedAt, unread } = useNotifications()
  const settings = useSettings(isInstructor)
  useAlert(notifications, askedAt, settings)
  usePushRenewal(accountId)
  const [opened, setOpened] = useState(false)
  useOpenedFromOutside(() => setOpened(true))
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.bell}
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notifications, ${badge(unread)} unread` : 'Notifications'}
        onPointerEnter={NotificationPanel.preload}
        onFocus={NotificationPanel.preload}
        onClick={() => setOpened(true)}
      >
        <IconBell size={26} stroke={1.5} aria-hidden />
        {unread > 0 && (
          <span className={classes.badge} aria-hidden>
            {badge(unread)}
          </span>
        )}
      </ActionIcon>
      {opened && (
        <NotificationPanel
          notifications={notifications}
          accountId={accountId}
          isPushed={settings?.push_enabled === true}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
